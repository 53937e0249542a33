#pragma once

#include "demos/notebook/binding/dtype.hpp"
#include "demos/notebook/binding/index.hpp"

namespace stepgrad::python {

// What x[index] names of an x that lies at `layout`, by NumPy's and torch's rules: whole numbers,
// slices, None, Ellipsis, masks, and tensors or lists of whole numbers. IndexError: outside x, or
// more of them than dimensions.
Places places_of(const Layout& layout, py::handle index);

}  // namespace stepgrad::python
