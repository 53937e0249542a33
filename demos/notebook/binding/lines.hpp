#pragma once

#include <pybind11/pybind11.h>

#include "core/tensor/tensor.hpp"

// Where the reader's Python is.
namespace stepgrad::python {

// The line that runs now, of the innermost frame outside of this package: script.py:52 or
// In[19]:52. Its file is null outside of any.
Loc python_line();

// The same if an op of this thread may be recorded; else none, which costs nothing.
Loc line_if_recorded(const Tensor& a, const Tensor& b = {});

void bind_lines(pybind11::module_& module);

}  // namespace stepgrad::python
