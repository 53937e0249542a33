#pragma once

#include <pybind11/pybind11.h>

#include "demos/python/binding/dtype.hpp"

// The user's current line in Python.
namespace stepgrad::python {

// The current line of the innermost frame outside of this package: script.py:52 or In[19]:52. Null
// file: none.
Loc python_line();

// The same if this thread may record an op; otherwise none, at no cost.
Loc line_if_recorded(const Tensor& a, const Tensor& b = {});

// The numbers are read here by `how`: see Observer::numbers_read.
void tell_read(const TypedTensor& x, const char* how, Storage* into = nullptr);

void bind_lines(pybind11::module_& module);

}
