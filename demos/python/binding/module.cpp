// The Python module: each bind_* is a file beside this one.
#include "core/check.hpp"
#include "core/kernels/threads.hpp"
#include "core/tape/modes.hpp"
#include "demos/python/binding/tensor.hpp"

namespace py = pybind11;

namespace {

// Translates the engine's errors into torch's.
void translate(std::exception_ptr thrown) {
  using namespace stepgrad;
  try {
    std::rethrow_exception(thrown);
  } catch (const pybind11::cast_error& error) {  // Unable to cast ... type <class 'str'> to C++
    const std::string text = error.what();
    const size_t begin = text.find("<class '"), end = text.find("'>", begin);
    const std::string given = begin < end ? text.substr(begin, end + 2 - begin) : text;
    PyErr_SetString(PyExc_TypeError, ("an argument is of another type than wanted: " + given).c_str());
  } catch (const IndexError& error) {
    PyErr_SetString(PyExc_IndexError, error.what());
  } catch (const FileError& error) {
    PyErr_SetString(PyExc_OSError, error.what());
  } catch (const Error& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  } catch (const OutOfMemory& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
}

void bind_threads(pybind11::module_& module) {
  module.def("get_num_threads", &stepgrad::get_num_threads);
  module.def("set_num_threads", [](int threads) { stepgrad::set_num_threads(threads); });
}

// Any object, as the last resort: in pybind11's second round, which converts arguments.
struct Anything : py::object {
  using py::object::object;
};

}

template <>
class pybind11::detail::type_caster<Anything> {
 public:
  PYBIND11_TYPE_CASTER(Anything, const_name("object"));
  bool load(handle object, bool convert) {
    value = reinterpret_borrow<Anything>(object);
    return convert;
  }
};

namespace {

std::string name_of(py::handle type) { return py::str(type.attr("__name__")); }

// What is called with other arguments, too few or too many says so in a sentence, and not in
// pybind11's list of C++ types: a function, a constructor, a property that is set. Operators leave
// those to the other operand.
void refuse_other_arguments(const py::object& scope) {
  const bool is_class = PyType_Check(scope.ptr());
  const py::arg_v first = py::arg() = py::ellipsis();  // no argument
  const py::is_method of(scope);
  for (const auto& [key, value] : py::dict(scope.attr("__dict__").attr("copy")())) {
    const auto name = key.cast<std::string>();
    const std::string shown = name == "__init__" ? name_of(scope) : name.substr(name[0] == '_');
    const auto refuse = [=](const Anything& x, const py::args& rest, const py::kwargs& named) {
      py::list given;
      const auto add = [&](const std::string& k, py::handle y) { given.append(k + name_of(py::type::handle_of(y))); };
      if (!x.is(py::ellipsis())) add("", x);
      for (py::handle y : rest) add("", y);
      for (const auto& [k, y] : named) add(k.cast<std::string>() + "=", y);
      const auto all = py::str(", ").attr("join")(given).cast<std::string>();
      throw py::type_error(shown + "() does not take (" + all + ")");
    };
    const auto method = [=](const py::object&, const Anything& x, const py::args& rest, const py::kwargs& named) {
      refuse(x, rest, named);
    };
    const auto constructor = [=](py::detail::value_and_holder&, const Anything& x, const py::args& rest,
                                 const py::kwargs& named) { refuse(x, rest, named); };
    const std::string_view type = Py_TYPE(value.ptr())->tp_name;
    const bool set = type == "property" && !value.attr("fset").is_none();
    const py::sibling same(
        py::detail::get_function(set ? py::object(value.attr("fset")) : py::reinterpret_borrow<py::object>(value)));
    if (name == "__init__" && type == "instancemethod")
      py::cpp_function(constructor, of, same, py::detail::is_new_style_constructor(), first);
    else if (name.starts_with("__"))
      continue;
    else if (set || type == "instancemethod")
      py::cpp_function(method, of, same, first);
    else if (type == "builtin_function_or_method" && !is_class)
      py::cpp_function(refuse, py::scope(scope), same, first);
    else if (!is_class && PyType_Check(value.ptr()))
      refuse_other_arguments(py::reinterpret_borrow<py::object>(value));
  }
}

}

PYBIND11_MODULE(_stepgrad, module) {
  using namespace stepgrad::python;
  module.doc() = "The engine of stepgrad. Python's own part is the package stepgrad.";
  stepgrad::errors_name_lines = false;  // a traceback does
  py::register_exception_translator(&translate);
  bind_threads(module);
  bind_dtype(module);
  bind_lines(module);
  Class tensor(module, "Tensor", py::dynamic_attr(), py::custom_type_setup(&make_collectable));
  find_out_how_it_counts();
  bind_tensor(module, tensor);
  bind_arithmetic(module, tensor);
  bind_functions(module, tensor);
  bind_function(module);
  bind_reductions(tensor);
  bind_shapes(module, tensor);
  bind_index(tensor);
  bind_scatter(tensor);
  bind_in_place(tensor);
  bind_networks(module);
  bind_autograd(module, tensor);
  bind_graph(module, tensor);
  bind_debugging(module, tensor);
  bind_ops_of_each(module, tensor);
  refuse_other_arguments(module);
}
