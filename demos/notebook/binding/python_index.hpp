#pragma once

#include "demos/notebook/binding/dtype.hpp"
#include "demos/notebook/binding/index.hpp"

namespace stepgrad::python {

// What x[index] names, by NumPy's and torch's rules: whole numbers, slices, None, Ellipsis, masks,
// and tensors or lists of whole numbers. IndexError: outside x, or more of them than dimensions.
Places places_of(const TypedTensor& x, py::handle index);

}  // namespace stepgrad::python
