#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/tensor/tensor.hpp"
#include "demos/notebook/binding/layout.hpp"

namespace stepgrad::python {

// What torch's grad_fn calls an index, after its last part: x[i], x[a:b], x[None], x[ids]; a
// diagonal; and a view that was made again. On the tape all of them are `index`.
enum class IndexKind { select, slice, unsqueeze, index, diagonal, as_strided };

// Which of a tensor's numbers, in order, and the shape in which they are asked for.
struct Places {
  using Offsets = std::shared_ptr<const std::vector<int64_t>>;
  Places(const Layout& layout, IndexKind kind) : layout(layout), kind(kind) {}
  Places(const Shape& shape, Offsets offsets, IndexKind kind = IndexKind::index)
      : layout(shape), kind(kind), offsets(std::move(offsets)) {}

  Layout layout;  // its shape is theirs
  IndexKind kind;
  Offsets offsets;          // where index tensors name any; else null
  bool accumulate = false;  // put_ adds to what is there
};

// f(where it lies) for each element, row after row.
template <class F>
void for_each_place(const Places& places, F f) {
  if (!places.offsets) return for_each_place(places.layout, f);
  for (const int64_t place : *places.offsets) f(place);
}

// The elements at `places`, as a copy: x[...] for every kind of index.
Tensor take(Arg x, const Places& places);

// The node of that alone; null if nothing is recorded.
Ref<Node> record_take(const Tensor& x, const Places& places, Loc loc);

// Writes `values`, which broadcasts to their shape, over the elements at `places`, or adds them. Of
// a place named twice the last value stays, and alone gets its gradient. In place and recorded,
// whoever else shares x's numbers. ShapeError.
void put_(Arg x, const Places& places, Arg values);

// Whether that was done through a view of the node's output: any `kind` but index.
bool was_put_through_view(const Node& node);

// As torch calls the node: of one of an index by the index's kind.
std::string grad_fn(const Node& node);

}  // namespace stepgrad::python
