#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/tensor/layout.hpp"
#include "core/tensor/tensor.hpp"

namespace stepgrad {

// How places were named: x[i], x[a:b], x[None], x[ids]; a diagonal; by strides, as of a view.
enum class IndexKind { select, slice, unsqueeze, index, diagonal, as_strided };

// Some of a tensor's numbers, in order, and the shape of the result. REQUIRES: every place is
// within the tensor.
struct Places {
  using Offsets = std::shared_ptr<const std::vector<int64_t>>;
  Places(const Layout& where, IndexKind named) : layout(where), kind(named) {}
  Places(const Shape& shape, Offsets in_order, IndexKind named = IndexKind::index)
      : layout(shape), kind(named), offsets(std::move(in_order)) {}

  Layout layout;  // its shape is theirs
  IndexKind kind;
  Offsets offsets;          // where index tensors name any; else null
  bool accumulate = false;  // index_put_ adds to what is there
  Tensor by;                // an index tensor that is on the tape, if any
};

// Calls f(place) for each element, row after row.
void for_each_place(const Places& places, auto f) {
  if (!places.offsets) return for_each_place(places.layout, f);
  for (const int64_t place : *places.offsets) f(place);
}

// The elements at `places`, as a copy: x[...] for every kind of index.
[[nodiscard]] Tensor index(Arg x, const Places& places);

// Its node alone; null if nothing is recorded.
Ref<Node> record_index(const Tensor& x, const Places& places, Loc loc);

// Writes or adds `values`, broadcast to the places' shape, to the elements at `places`. For a place
// named twice the last value counts, and alone gets the gradient. ShapeError; ValueError: floats
// into whole numbers; TapeError: x is a leaf that requires a gradient, or a view, and this is
// recorded.
void index_put_(Arg x, const Places& places, Arg values);
// The same without ValueError and TapeError, for the base of views that are made again when they
// are read.
void unsafe_index_put_(Arg x, const Places& places, Arg values);

// How the places of the op with this node were named: none, if it is no index, or no index_put_.
std::optional<IndexKind> kind_of_index(const Node& node);
std::optional<IndexKind> kind_of_put(const Node& node);

}
