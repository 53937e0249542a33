// Arrays: dense float32 shares memory both ways, other dtypes are copied.
#include <pybind11/numpy.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/check.hpp"
#include "core/memory/storage.hpp"
#include "demos/python/binding/tensor.hpp"

namespace stepgrad::python {
namespace {

template <class T>
Tensor copied(const py::array& array, const Shape& shape) {
  const auto dense = py::array_t<T, py::array::c_style | py::array::forcecast>(array);
  const Tensor x = Tensor::empty(shape);
  std::copy_n(dense.data(), x.numel(), x.data());
  return x;
}

// The array stays alive as long as the tensor.
Tensor shared(py::array_t<float>& array, const Shape& shape) {
  auto* data = const_cast<float*>(array.data());
  const auto release = [](void* owner) {
    if (!Py_IsInitialized()) return;
    const py::gil_scoped_acquire gil;
    Py_DECREF(static_cast<PyObject*>(owner));
  };
  return Tensor::over(Storage::borrow(data, shape.numel(), release, array.inc_ref().ptr()), shape);
}

// The numbers as T in a separate array.
template <class T>
py::object array_of(const Tensor& x) {
  py::array_t<T> array(std::vector<py::ssize_t>(x.shape().begin(), x.shape().end()));
  std::copy_n(x.data(), x.numel(), array.mutable_data());
  return array;
}
py::object halves_of(const Tensor& x) { return array_of<float>(x).attr("astype")("float16"); }

// Arrays that are copied: kind and bytes of a number, as NumPy has them, and the dtype here.
struct ArrayType {
  char kind;
  py::ssize_t bytes;
  Dtype dtype;
  Tensor (*from)(const py::array& array, const Shape& shape);
  py::object (*to)(const Tensor& x);
};
constexpr ArrayType array_types[] = {{'b', 1, Dtype::boolean, &copied<bool>, &array_of<bool>},
    {'u', 1, Dtype::uint8, &copied<uint8_t>, &array_of<uint8_t>},
    {'i', 1, Dtype::int8, &copied<int8_t>, &array_of<int8_t>},
    {'i', 2, Dtype::int16, &copied<int16_t>, &array_of<int16_t>},
    {'i', 4, Dtype::int32, &copied<int32_t>, &array_of<int32_t>},
    {'i', 8, Dtype::int64, &copied<int64_t>, &array_of<int64_t>}, {'f', 2, Dtype::float16, &copied<float>, &halves_of}};

// An array over the tensor's memory, a view's being its base's.
py::object shared_array(const TypedTensor& x) {
  const auto release = [](void* owner) { delete static_cast<Ref<Storage>*>(owner); };
  const Tensor& base = base_of(x);
  const Layout layout = layout_of(x);
  std::vector<py::ssize_t> strides;
  for (int dim = 0; dim < layout.shape.dims(); ++dim) strides.push_back(layout.stride[dim] * int64_t{sizeof(float)});
  base.storage()->written_unseen = true;
  const py::capsule owner(new Ref<Storage>(base.storage()), release);
  return py::array_t<float>(
      std::vector<py::ssize_t>(layout.shape.begin(), layout.shape.end()), strides, base.data() + layout.offset, owner);
}

}

void warn(const char* text) {
  const Loc at = python_line();
  const int failed = at.file ? PyErr_WarnExplicit(PyExc_UserWarning, text, at.file, at.line, nullptr, nullptr)
                             : PyErr_WarnEx(PyExc_UserWarning, text, 1);
  if (failed) throw py::error_already_set();
}

void warn_of_float64() {
  static bool told = false;
  if (!std::exchange(told, true)) warn("float64 becomes float32 here, the engine's only type; arrays of it are copied");
}

void warn_of_copy(const char* door) {
  static std::set<std::string> told;
  if (told.insert(door).second)
    warn((std::string(door) +
        ": only float32 shares memory; this is a copy: neither the array nor the tensor sees "
        "what is written to the other")
             .c_str());
}

TypedTensor from_array(const py::object& object) {
  py::array array = py::array::ensure(object);
  if (!array) throw py::type_error("this is not an array of numbers");
  const std::vector<int64_t> sizes(array.shape(), array.shape() + array.ndim());
  const Shape shape{std::span<const int64_t>(sizes)};
  const char kind = array.dtype().kind();
  const auto bytes = array.itemsize();
  const bool dense = array.flags() & py::array::c_style;
  if (kind == 'f' && bytes == 4) {
    auto floats = py::array_t<float>(array);
    return {dense ? shared(floats, shape) : copied<float>(array, shape)};
  }
  if (kind == 'f' && bytes == 8) {
    warn_of_float64();
    return {copied<double>(array, shape)};
  }
  for (const ArrayType& type : array_types) {
    if (kind != type.kind || bytes != type.bytes) continue;
    const Tensor x = type.from(array, shape);
    // Floats hold every number of up to two bytes; tagged() checks the others.
    return bytes > 2 ? tagged(x, type.dtype, {}) : TypedTensor{x, type.dtype};
  }
  throw py::type_error("there are no tensors of " + py::str(array.dtype()).cast<std::string>() +
      " here: convert the array with .astype('float32')");
}

py::object to_array(const TypedTensor& x) {
  try {
    py::module_::import("numpy");
  } catch (const py::error_already_set& error) {
    if (!error.matches(PyExc_ModuleNotFoundError)) throw;
    throw Error("numpy(): Numpy is not available");  // torch's words
  }
  tell_read(x, "numpy()");
  if (x.dtype == Dtype::float32) return shared_array(x);
  for (const ArrayType& type : array_types) {
    if (type.dtype != x.dtype) continue;
    const py::object array = type.to(x.tensor);
    array.attr("setflags")("write"_a = false);  // writing to it would not change x
    warn_of_copy("numpy()");
    return array;
  }
  throw py::type_error("NumPy has no bfloat16: use x.float().numpy()");
}

}
