#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "core/tensor/tensor.hpp"

// The engine has one element type. A dtype in Python is a tag on the tensor's handle.
namespace stepgrad::python {

namespace py = pybind11;
using namespace py::literals;  // "dim"_a is py::arg("dim")

enum class Dtype { boolean, uint8, int8, int16, int32, int64, float16, bfloat16, float32 };

struct View;

// Python's torch.Tensor: the engine's tensor, its dtype and, for a view, its base; see view.hpp.
struct TypedTensor {
  Tensor tensor;
  Dtype dtype = Dtype::float32;
  std::shared_ptr<View> view = {};
};
void make_again_if_stale(const TypedTensor& x);

// A Python number: bool, int64 or float32.
struct Number {
  double value;
  Dtype dtype;
  operator double() const { return value; }
};
Number number_from(py::handle object);  // TypeError: not a number
Number real_from(py::handle object);    // also of a tensor without dimensions and gradient

// A bool that Python gives as one: None, 1 or a list is none.
struct Flag {
  bool value;
  operator bool() const { return value; }
};
bool is_whole(py::handle object);  // no bool, and no tensor with dimensions

// An operand from Python: a tensor, or a number, which has a lower rank in promotion.
struct Operand : TypedTensor {
  explicit Operand(py::handle object);  // TypeError: neither
  explicit Operand(const TypedTensor& x) : TypedTensor(x) {}
  Operand(double value, Dtype dtype);
  bool number = false;
  double value = 0;  // of a number
};

// bool < whole < floating, as torch's categories.
int category(Dtype dtype);
inline bool is_floating(Dtype dtype) { return category(dtype) == 2; }
const char* type_name(Dtype dtype);  // Float, Long, as torch's messages have it
py::object& dtype_object(Dtype dtype);
py::handle dtype_of(py::handle type);  // Python's int and bool as dtypes. TypeError: another type

Dtype promote(Dtype a, Dtype b);  // of a half and a bfloat16: float32

// The dtype of an op's result: operands with dimensions decide first, then scalars, then Python's
// numbers, each only if its category is higher (torch.result_type).
Dtype result_type(std::initializer_list<const Operand*> operands);

// x as another dtype, recorded if possible: integers are rounded towards 0, and numbers they cannot
// hold become what they become on x86 in torch.
TypedTensor to_dtype(const TypedTensor& x, Dtype dtype, Loc loc);

// A number as an element, and an operand as elements. RuntimeError: the dtype cannot hold the
// number; uint8 wraps a whole number below 0, and holds no other.
Scalar element(Number number, Dtype dtype);
TypedTensor elements(const Operand& x, Dtype dtype, Loc loc);
void check_fits(const Operand& x, Dtype dtype);   // only this error
void check_exact(const Operand& x, Dtype dtype);  // RuntimeError: a whole number beyond 2^24

// An op's result as `dtype`: narrow floats are rounded, narrow integers wrapped, others checked.
// RuntimeError: an integer beyond 2^24, which a float does not hold.
TypedTensor tagged(Tensor y, Dtype dtype, Loc loc);

// x as an operand computed in `dtype`, with that dtype's numbers. The gradient of a narrow float is
// rounded.
Tensor operand_in(const TypedTensor& x, Dtype dtype, Loc loc);

// dX as the gradient of a tensor of `dtype`: rounded in place for a narrow float.
TypedTensor as_gradient(Dtype dtype, Tensor dX);

void bind_dtype(py::module_& module);

}

namespace stepgrad::python {

// An object made by __new__ without __init__ has no value, and pybind11 would use uninitialised
// memory. For each class of the binding.
template <class T>
class Initialised : public py::detail::type_caster_base<T> {
 public:
  bool load(py::handle object, bool convert) {
    if (this->typeinfo && PyObject_TypeCheck(object.ptr(), this->typeinfo->type)) {
      auto* instance = reinterpret_cast<py::detail::instance*>(object.ptr());
      if (!instance->get_value_and_holder().value_ptr())
        throw py::type_error(std::string(Py_TYPE(object.ptr())->tp_name) + ".__init__() has not been called");
    }
    return py::detail::type_caster_base<T>::load(object, convert);
  }
};

}

template <>
class pybind11::detail::type_caster<stepgrad::python::Dtype>
    : public stepgrad::python::Initialised<stepgrad::python::Dtype> {
 public:
  bool load(handle object, bool convert) {
    const bool of_python = PyType_Check(object.ptr());
    return Initialised::load(of_python ? stepgrad::python::dtype_of(object) : object, convert);
  }
};

template <>
class pybind11::detail::type_caster<stepgrad::python::Flag> {
 public:
  PYBIND11_TYPE_CASTER(stepgrad::python::Flag, const_name("bool"));
  bool load(handle object, bool) {
    value.value = object.ptr() == Py_True;
    return PyBool_Check(object.ptr());
  }
};

// For parameters that are whole numbers: pybind11's own takes bools.
template <class T>
class WholeCaster {
 public:
  PYBIND11_TYPE_CASTER(T, pybind11::detail::const_name("int"));
  bool load(pybind11::handle object, bool) {
    if (!stepgrad::python::is_whole(object)) return false;
    const auto whole = pybind11::reinterpret_steal<pybind11::object>(PyNumber_Index(object.ptr()));
    const long long given = whole ? PyLong_AsLongLong(whole.ptr()) : 0;
    value = static_cast<T>(given);
    const bool fits = !PyErr_Occurred() && value == given;
    PyErr_Clear();
    return fits;
  }
  static pybind11::handle cast(T x, pybind11::return_value_policy, pybind11::handle) { return PyLong_FromLongLong(x); }
};
template <>
class pybind11::detail::type_caster<int> : public WholeCaster<int> {};
template <>
class pybind11::detail::type_caster<int64_t> : public WholeCaster<int64_t> {};

template <>
class pybind11::detail::type_caster<stepgrad::python::Number> {
 public:
  PYBIND11_TYPE_CASTER(stepgrad::python::Number, const_name("float"));
  bool load(handle object, bool) {
    value = stepgrad::python::real_from(object);
    return true;
  }
};

// Refreshes a stale view that comes in from Python.
template <>
class pybind11::detail::type_caster<stepgrad::python::TypedTensor>
    : public stepgrad::python::Initialised<stepgrad::python::TypedTensor> {
 public:
  bool load(handle object, bool convert) {
    if (!Initialised::load(object, convert)) return false;
    const auto* x = static_cast<const stepgrad::python::TypedTensor*>(value);
    if (x && x->view) make_again_if_stale(*x);
    return true;
  }
};
