#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/tensor/tensor.hpp"

namespace stepgrad::python {

// What torch calls an index after its last part: x[i], x[a:b], x[None], x[ids].
enum class IndexKind { select, slice, unsqueeze, index };

// Which elements of a tensor an index names, in order, and the shape in which they are asked for.
struct Places {
  std::shared_ptr<const std::vector<int64_t>> offsets;  // into the data
  Shape shape;
  IndexKind kind = IndexKind::index;
};

// The elements at `places`, as a copy: x[...] for every kind of index.
Tensor take(Arg x, const Places& places);

// x with the elements at `places` overwritten by `values`, which broadcasts to their shape.
// Of a place named twice the last value stays. ShapeError.
Tensor put(Arg x, const Places& places, Arg values);

}  // namespace stepgrad::python
