#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/tensor/tensor.hpp"
#include "demos/notebook/binding/layout.hpp"

namespace stepgrad::python {

// The last part of grad_fn's name in torch: for x[i], x[a:b], x[None], x[ids]; a diagonal; a
// refreshed view. On the tape each is `index`.
enum class IndexKind { select, slice, unsqueeze, index, diagonal, as_strided };

// Some of a tensor's numbers, in order, and the shape of the result.
struct Places {
  using Offsets = std::shared_ptr<const std::vector<int64_t>>;
  Places(const Layout& layout, IndexKind kind) : layout(layout), kind(kind) {}
  Places(const Shape& shape, Offsets offsets, IndexKind kind = IndexKind::index)
      : layout(shape), kind(kind), offsets(std::move(offsets)) {}

  Layout layout;  // its shape is theirs
  IndexKind kind;
  Offsets offsets;          // where index tensors name any; else null
  bool accumulate = false;  // put_ adds to what is there
  Tensor by;                // an index tensor that is on the tape, if any
};

// Calls f(place) for each element, row after row.
template <class F>
void for_each_place(const Places& places, F f) {
  if (!places.offsets) return for_each_place(places.layout, f);
  for (const int64_t place : *places.offsets) f(place);
}

// The elements at `places`, as a copy: x[...] for every kind of index.
Tensor take(Arg x, const Places& places);

// The node alone; null if nothing is recorded.
Ref<Node> record_take(const Tensor& x, const Places& places, Loc loc);

// Writes or adds `values`, broadcast to the places' shape, to the elements at `places`. For a place
// named twice the last value counts, and alone gets the gradient. In place and recorded, even if
// others share x's numbers. ShapeError.
void put_(Arg x, const Places& places, Arg values);

// Whether the node's output was written through a view: any `kind` but index.
bool was_put_through_view(const Node& node);

// torch's name of the node, by the kind of index.
std::string grad_fn(const Node& node);

}  // namespace stepgrad::python
