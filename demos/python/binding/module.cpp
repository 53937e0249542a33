// The Python module: each bind_* is a file beside this one.
#include "core/check.hpp"
#include "core/kernels/threads.hpp"
#include "core/memory/pool.hpp"
#include "demos/python/binding/tensor.hpp"

namespace py = pybind11;

namespace {

// Translates the engine's errors into torch's.
void translate(std::exception_ptr thrown) {
  using namespace stepgrad;
  try {
    std::rethrow_exception(thrown);
  } catch (const pybind11::cast_error&) {
    PyErr_SetString(PyExc_TypeError,
                    "an argument is not of the type that is wanted, such as a tensor");
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
  module.def("set_num_threads", [](int threads) {
    stepgrad::check<stepgrad::Error>(threads > 0, "set_num_threads: ", threads,
                                     " threads, expected at least one");
    stepgrad::set_num_threads(threads);
  });
}

// Any object, as the last resort: in pybind11's second round, which converts arguments.
struct Anything : py::object {
  using py::object::object;
};

}  // namespace

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

// What is called with arguments of other types says so in a sentence, and not in pybind11's list of
// C++ types. Operators leave those to the other operand.
template <class Scope>
void refuse_other_arguments(Scope& scope) {
  std::vector<std::string> names;
  for (const auto& [key, value] : py::dict(scope.attr("__dict__"))) {
    const auto name = key.template cast<std::string>();
    const bool is_operator = name.starts_with("__") && name != "__matmul__";
    const std::string_view type = Py_TYPE(value.ptr())->tp_name;
    if (!is_operator && (type == "instancemethod" || type == "builtin_function_or_method"))
      names.push_back(name);
  }
  const auto type_of = [](py::handle x) {
    return py::type::of(x).attr("__name__").template cast<std::string>();
  };
  const auto refuse = [=](const std::string& name, std::string given, const py::args& rest,
                          const py::kwargs& named) -> py::object {
    for (py::handle x : rest) given += ", " + type_of(x);
    for (const auto& [key, x] : named)
      given += ", " + key.template cast<std::string>() + "=" + type_of(x);
    throw py::type_error(name.substr(name.find_first_not_of('_')) + "() does not take (" + given +
                         ")");
  };
  for (const std::string& name : names) {
    if constexpr (std::is_same_v<Scope, py::module_>)
      scope.def(name.c_str(),
                [=](const Anything& first, const py::args& rest, const py::kwargs& named) {
                  return refuse(name, type_of(first), rest, named);
                });
    else  // the object itself is never converted
      scope.def(name.c_str(), [=](const py::object& self, const Anything& first,
                                  const py::args& rest, const py::kwargs& named) {
        return refuse(name, type_of(self) + ", " + type_of(first), rest, named);
      });
  }
}

}  // namespace

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
  refuse_other_arguments(tensor);
  refuse_other_arguments(module);
}
