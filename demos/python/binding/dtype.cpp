#include "demos/python/binding/dtype.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "core/check.hpp"
#include "core/tensor/elementwise.hpp"
#include "ops/ops.hpp"

namespace stepgrad::python {
namespace {

struct Description {
  const char *name, *type;
  int category, bytes;
  double least, most;  // the dtype's finite numbers
};
constexpr Description descriptions[] = {{"bool", "Bool", 0, 1, 0, 1}, {"uint8", "Byte", 1, 1, -255, 255},
    {"int8", "Char", 1, 1, -128, 127}, {"int16", "Short", 1, 2, -32768, 32767},
    {"int32", "Int", 1, 4, -0x1p31, 0x1p31 - 1}, {"int64", "Long", 1, 8, -0x1p63, 0x1p63},
    {"float16", "Half", 2, 2, -65504, 65504}, {"bfloat16", "BFloat16", 2, 2, -0x1.fep127, 0x1.fep127},
    {"float32", "Float", 2, 4, -0x1.fffffep127, 0x1.fffffep127}};

const Description& describe(Dtype dtype) { return descriptions[int(dtype)]; }

// Floats below 2^24 are exact; 2^24 itself may be a rounded 2^24 + 1.
constexpr Scalar too_large = 1 << 24;
constexpr const char* why_too_large =
    "a whole number beyond 2^24 = 16777216, or one that is not finite, cannot be kept: the "
    "engine's numbers are floats";

// The smallest int64 or int32, exact as a float: NaN and numbers that are too large become it.
template <class T>
constexpr auto least = Scalar(std::numeric_limits<T>::min());

// The smallest number stays itself if little is added.
void check_whole(const Tensor& x, Dtype dtype) {
  const Scalar smallest = dtype == Dtype::int64 ? least<int64_t> : least<int32_t>;
  const Scalar* end = x.data() + x.numel();
  const bool all_held = std::all_of(static_cast<const Scalar*>(x.data()), end,
      [smallest](Scalar v) { return std::abs(v) < too_large || v == smallest; });
  check<Error>(all_held, why_too_large);
}

// Rewrites an op's result in place: a bool is 0 or 1, and no whole number is -0. RuntimeError: a
// number is too large.
void make_whole(const Tensor& y, Dtype dtype) {
  if (dtype == Dtype::boolean) {
    for (Scalar *v = y.data(), *end = v + y.numel(); v < end; ++v) *v = *v != 0;
  } else {
    elementwise_(kernels::table().add, y, 0);  // -0 + 0 is 0
    check_whole(y, dtype);
  }
}

template <class T>
Scalar whole(Scalar v) {
  return least<T> <= v && v < -least<T> ? std::trunc(v) + 0 : least<T>;
}

// The lowest bits of a wider integer, as a narrow one.
Scalar wrapped(Scalar v, Dtype dtype) {
  const auto wide = int64_t(v);
  switch (dtype) {
    case Dtype::uint8:
      return Scalar(uint8_t(wide));
    case Dtype::int8:
      return Scalar(int8_t(wide));
    case Dtype::int16:
      return Scalar(int16_t(wide));
    default:
      return v + 0;
  }
}
bool is_narrow_whole(Dtype dtype) { return Dtype::uint8 <= dtype && dtype <= Dtype::int16; }
bool is_narrow_float(Dtype dtype) { return dtype == Dtype::float16 || dtype == Dtype::bfloat16; }

// Applies f to each number of x, not recorded.
template <class F>
Tensor mapped(const Tensor& x, F f) {
  const Tensor y = Tensor::empty(x.shape());
  std::transform(x.data(), x.data() + x.numel(), y.data(), f);
  return y;
}

// One of the three ranks of operands, and its dtype so far, if any.
struct Rank {
  bool any = false;
  Dtype dtype = Dtype::boolean;
  void add(Dtype other) {
    dtype = any ? promote(dtype, other) : other;
    any = true;
  }
};

Rank combine(const Rank& higher, const Rank& lower) {
  if (!higher.any) return lower;
  if (!lower.any || category(higher.dtype) >= category(lower.dtype)) return higher;
  return {true, promote(higher.dtype, lower.dtype)};
}

}

Operand::Operand(py::handle object) {
  if (py::isinstance<TypedTensor>(object)) {
    static_cast<TypedTensor&>(*this) = py::cast<const TypedTensor&>(object);
    return;
  }
  const auto [value, kind] = number_from(object);
  *this = Operand(value, kind);
}

// NumPy's bools and arrays have __index__, too.
static bool of_numpy(py::handle object, const char* type) {
  return std::string_view(Py_TYPE(object.ptr())->tp_name).starts_with(type);
}

bool is_whole(py::handle object) {
  if (!py::isinstance<TypedTensor>(object))
    return PyIndex_Check(object.ptr()) && !PyBool_Check(object.ptr()) && !of_numpy(object, "numpy.bool") &&
        !of_numpy(object, "numpy.ndarray");
  const auto& x = object.cast<const TypedTensor&>();
  return x.tensor.dim() == 0 && category(x.dtype) == 1;
}

Number number_from(py::handle object) {
  if (PyFloat_Check(object.ptr())) return {PyFloat_AS_DOUBLE(object.ptr()), Dtype::float32};
  if (PyBool_Check(object.ptr()) || of_numpy(object, "numpy.bool"))
    return {PyObject_IsTrue(object.ptr()) ? 1.0 : 0.0, Dtype::boolean};
  if (is_whole(object)) {  // NumPy's too
    const py::object whole = py::reinterpret_steal<py::object>(PyNumber_Index(object.ptr()));
    return {py::float_(whole).cast<double>(), Dtype::int64};
  }
  if (PyNumber_Check(object.ptr()) && !PySequence_Check(object.ptr()))
    return {py::float_(py::reinterpret_borrow<py::object>(object)).cast<double>(), Dtype::float32};
  throw py::type_error("a tensor or a number is wanted, not " +
      py::str(py::type::handle_of(object).attr("__name__")).cast<std::string>());
}

Number real_from(py::handle object) {
  if (!py::isinstance<TypedTensor>(object)) return number_from(object);
  const auto& x = object.cast<const TypedTensor&>();
  if (x.tensor.requires_grad())
    throw py::type_error("a number is wanted, and this tensor would lose its gradient: detach() it");
  if (x.tensor.dim()) throw py::type_error("a number is wanted, or a tensor without dimensions");
  return {x.tensor.item(), x.dtype};
}

Operand::Operand(double value, Dtype dtype)
    : TypedTensor{Tensor::full({}, Scalar(value)), dtype}, number(true), value(value) {}

int category(Dtype dtype) { return describe(dtype).category; }
const char* type_name(Dtype dtype) { return describe(dtype).type; }

// One object per dtype, so that `is` works.
py::object& dtype_object(Dtype dtype) {
  static auto& objects = *new std::array<py::object, std::size(descriptions)>;
  return objects[size_t(dtype)];
}

Dtype promote(Dtype a, Dtype b) {
  if (a == b) return a;
  const Dtype higher = std::max(a, b), lower = std::min(a, b);
  if (lower == Dtype::uint8 && higher == Dtype::int8) return Dtype::int16;
  const bool narrow = lower == Dtype::float16 && higher == Dtype::bfloat16;
  return narrow ? Dtype::float32 : higher;
}

Dtype result_type(std::initializer_list<const Operand*> operands) {
  Rank with_dims, without, numbers;
  for (const Operand* x : operands) {
    (x->number ? numbers : x->tensor.dim() == 0 ? without : with_dims).add(x->dtype);
  }
  return combine(with_dims, combine(without, numbers)).dtype;
}

TypedTensor tagged(Tensor y, Dtype dtype, Loc loc) {
  if (dtype == Dtype::float16) y = half({y, loc});
  if (dtype == Dtype::bfloat16) y = bfloat16({y, loc});
  if (category(dtype) < 2)
    make_whole(y, dtype);
  else
    y.set_kind(Kind::floating);  // also of a result that the engine calls whole, as a sum of ones
  if (is_narrow_whole(dtype)) {
    stepgrad::tell_read(y, type_name(dtype), loc);
    y = mapped(y, [dtype](Scalar v) { return wrapped(v, dtype); });
  }
  return {std::move(y), dtype};
}

Tensor operand_in(const TypedTensor& x, Dtype dtype, Loc loc) {
  if (x.dtype == dtype) return x.tensor;
  if (is_narrow_whole(dtype) || is_narrow_float(dtype)) return to_dtype(x, dtype, loc).tensor;
  const bool widens = is_narrow_float(x.dtype) && dtype == Dtype::float32;
  return widens && grad_enabled() && x.tensor.requires_grad() ? tagged(x.tensor, x.dtype, loc).tensor : x.tensor;
}

TypedTensor as_gradient(Dtype dtype, Tensor dX) {
  if (is_narrow_float(dtype)) {
    const Unshown data_only;
    const Tensor y = tagged(dX.off_tape(), dtype, {}).tensor;
    std::copy_n(y.data(), y.numel(), dX.data());
  }
  return {std::move(dX), dtype};
}

Scalar element(Number number, Dtype dtype) {
  const Description& its = describe(dtype);
  const double value = number;
  if (its.category == 0) return value != 0;
  const bool real = dtype == Dtype::uint8 && is_floating(number.dtype);
  const double least = real ? 0 : its.least;
  const bool fits = least <= value && value <= its.most;
  check<Error>(fits || (its.category == 2 && !std::isfinite(value)), "value ", value, " cannot be converted to type ",
      its.name, " without overflow");
  if (its.category == 2) return Scalar(value);
  check<Error>(std::abs(value) <= too_large, why_too_large);
  return wrapped(Scalar(std::trunc(value)), dtype);
}

TypedTensor elements(const Operand& x, Dtype dtype, Loc loc) {
  if (x.number) return tagged(Tensor::full({}, element({x.value, x.dtype}, dtype)), dtype, loc);
  return to_dtype(x, dtype, loc);
}

void check_exact(const Operand& x, Dtype dtype) {
  check<Error>(category(dtype) != 1 || std::abs(x.value) <= too_large, why_too_large);
}

void check_fits(const Operand& x, Dtype dtype) {
  if (x.number) element({x.value, x.dtype}, dtype);
}

TypedTensor to_dtype(const TypedTensor& x, Dtype dtype, Loc loc) {
  if (dtype == x.dtype) return x;
  if (is_floating(dtype)) {
    const bool rounded = dtype != Dtype::float32;
    const bool recorded = is_floating(x.dtype) || x.tensor.node() || shows_ops();
    if (rounded) return tagged(x.tensor, dtype, loc);
    Tensor y = recorded ? operand_in(x, dtype, loc) : x.tensor.copied();
    if (y.is(x.tensor)) y = y.clone(loc);
    return {y.set_kind(Kind::floating), dtype};  // beyond 2²⁴ a sum is rounded, not refused
  }
  if (dtype == Dtype::boolean) return {ne({x.tensor, loc}, 0), dtype};
  if (category(x.dtype) < 2 && dtype == Dtype::int64) return {clone({x.tensor, loc}), dtype};
  const Tensor y = mapped(x.tensor,
      [dtype](Scalar v) { return dtype == Dtype::int64 ? whole<int64_t>(v) : wrapped(whole<int32_t>(v), dtype); });
  if (!x.tensor.node() && !shows_ops()) return {y, dtype};
  const Tensor whole = trunc({x.tensor, loc}) + 0;
  const bool same = std::equal(y.data(), y.data() + y.numel(), whole.data());
  if (same) return {whole, dtype};
  stepgrad::tell_read(x.tensor, type_name(dtype), loc);
  return {y, dtype};
}

py::handle dtype_of(py::handle type) {
  if (type.ptr() == reinterpret_cast<PyObject*>(&PyBool_Type)) return dtype_object(Dtype::boolean);
  if (type.ptr() == reinterpret_cast<PyObject*>(&PyLong_Type)) return dtype_object(Dtype::int64);
  throw py::type_error(type.ptr() == reinterpret_cast<PyObject*>(&PyFloat_Type)
          ? "float is torch.float64, and the engine's numbers are float32: say torch.float32"
          : "a dtype is one of torch's, or int or bool");
}

void bind_dtype(py::module_& module) {
  py::class_<Dtype> dtype(module, "dtype");
  dtype.def("__repr__", [](Dtype d) { return std::string("torch.") + describe(d).name; })
      .def("__eq__", [](Dtype a, py::object b) { return py::isinstance<Dtype>(b) && a == b.cast<Dtype>(); })
      .def("__hash__", [](Dtype d) { return int(d); })
      .def_property_readonly("is_floating_point", &is_floating)
      .def_property_readonly("_least", [](Dtype d) { return d == Dtype::uint8 ? 0 : describe(d).least; })
      .def_property_readonly("_most", [](Dtype d) { return describe(d).most; })
      .def_property_readonly("itemsize", [](Dtype d) { return describe(d).bytes; });
  for (int i = 0; i < int(std::size(descriptions)); ++i) {
    const auto dtype = static_cast<Dtype>(i);
    module.attr(descriptions[i].name) = dtype_object(dtype) = py::cast(dtype);
  }
}

}
