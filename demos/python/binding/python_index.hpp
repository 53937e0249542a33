#pragma once

#include "demos/python/binding/dtype.hpp"
#include "ops/index.hpp"

namespace stepgrad::python {

// The places of x[index], where x has `layout`, by NumPy's and torch's rules: integers, slices,
// None, Ellipsis, masks, and tensors or lists of integers. IndexError: outside x, or more parts
// than dimensions.
Places places_of(const Layout& layout, py::handle index);

// What is written by index tensors has x's dtype, as in torch. RuntimeError.
void check_same_dtype(Dtype x, Dtype values);

}
