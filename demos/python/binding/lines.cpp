#include "demos/python/binding/lines.hpp"

#include <frameobject.h>

#include <string>
#include <unordered_map>

#include "core/tape/modes.hpp"
#include "core/watch/detect_nan.hpp"
#include "demos/python/binding/view.hpp"

namespace stepgrad::python {
namespace py = pybind11;
namespace {

// From Python's file name to the tape's: null for a file of this package.
struct Files {
  std::unordered_map<PyObject*, const char*> shown;  // it owns its keys, so they stay valid
  py::object name_of;                                // name_of(file) -> str or None
};
Files& files() {
  static Files& files = *new Files;  // outlives the interpreter
  return files;
}

const char* shown_name(PyObject* file) {
  auto [found, added] = files().shown.emplace(file, "?");
  if (!added) return found->second;
  Py_INCREF(file);
  if (!files().name_of) return found->second = PyUnicode_AsUTF8(file);
  const py::object name = files().name_of(py::handle(file));
  const std::string text = name.is_none() ? "" : name.cast<std::string>();
  return found->second = name.is_none() ? nullptr : (new std::string(text))->c_str();
}

}

Loc python_line() {
  PyFrameObject* frame = PyEval_GetFrame();  // borrowed; those behind it are not
  Py_XINCREF(frame);
  while (frame) {
    PyCodeObject* code = PyFrame_GetCode(frame);
    const char* file = shown_name(code->co_filename);
    Py_DECREF(code);
    PyFrameObject* back = file ? nullptr : PyFrame_GetBack(frame);
    const Loc loc{file, file ? PyFrame_GetLineNumber(frame) : 0};
    Py_DECREF(frame);
    if (file) return loc;
    frame = back;
  }
  return {};
}

Loc line_if_recorded(const Tensor& a, const Tensor& b) {
  bool wanted = shows_ops();
  for (const Tensor* x : {&a, &b}) {
    if (!grad_enabled() || !x->defined() || !x->node()) continue;
    wanted = true;
    check_history(*x);
  }
  return wanted || (grad_enabled() && detects_nan()) ? python_line() : Loc{};
}

void tell_read(const TypedTensor& x, const char* how, Storage* into) {
  if (shows_readings()) stepgrad::tell_read(x.tensor, how, python_line(), into);
}

void bind_lines(py::module_& module) {
  module.def("_name_files", [](py::object name_of) { files().name_of = std::move(name_of); });

  // Calls f with the line that called the outermost module.
  module.def("_call_module", [](const py::object& f, const py::args& args, const py::kwargs& kwargs) {
    const ModuleCall call(call_lines.module.file ? call_lines.module : python_line());
    return f(*args, **kwargs);
  });
}

}
