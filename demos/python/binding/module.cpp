// The Python module: each bind_* is a file beside this one.
#include "core/check.hpp"
#include "core/kernels/threads.hpp"
#include "core/memory/pool.hpp"
#include "demos/python/binding/tensor.hpp"

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
}
