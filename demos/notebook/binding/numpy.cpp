// Arrays: dense float32 shares memory both ways, other dtypes are copied.
#include <pybind11/numpy.h>

#include <algorithm>
#include <utility>

#include "core/check.hpp"
#include "core/memory/storage.hpp"
#include "demos/notebook/binding/tensor.hpp"

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

// The numbers as T in a separate array. It is read-only, since writing to it would not change x.
template <class T>
py::object array_of(const Tensor& x, const char* dtype = nullptr) {
  py::array_t<T> array(std::vector<py::ssize_t>(x.shape().begin(), x.shape().end()));
  std::copy_n(x.data(), x.numel(), array.mutable_data());
  const py::object result = dtype ? array.attr("astype")(dtype) : py::object(std::move(array));
  result.attr("setflags")(py::arg("write") = false);
  return result;
}

// A view's numbers are its base's.
py::object shared_array(const TypedTensor& x) {
  const auto release = [](void* owner) { delete static_cast<Ref<Storage>*>(owner); };
  const Tensor& base = base_of(x);
  const Layout layout = layout_of(x);
  std::vector<py::ssize_t> strides;
  for (int dim = 0; dim < layout.shape.dims(); ++dim)
    strides.push_back(layout.stride[dim] * int64_t{sizeof(float)});
  base.storage()->written_unseen = true;
  const py::capsule owner(new Ref<Storage>(base.storage()), release);
  return py::array_t<float>(std::vector<py::ssize_t>(layout.shape.begin(), layout.shape.end()),
                            strides, base.data() + layout.offset, owner);
}

}  // namespace

static void warn(const char* text) {
  const Loc at = python_line();
  const int failed =
      at.file ? PyErr_WarnExplicit(PyExc_UserWarning, text, at.file, at.line, nullptr, nullptr)
              : PyErr_WarnEx(PyExc_UserWarning, text, 1);
  if (failed) throw py::error_already_set();
}

void warn_of_float64() {
  static bool told = false;
  if (!std::exchange(told, true))
    warn("float64 becomes float32 here, which the engine has alone; arrays of it are copied");
}

void warn_of_copy(const TypedTensor& x) {
  static bool told = false;
  if (x.dtype != Dtype::float32 && !std::exchange(told, true))
    warn(
        "from_numpy: arrays of other numbers than float32 are copied here: neither the array nor "
        "the tensor sees what is written to the other");
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
  if (kind == 'f' && bytes == 2) return {copied<float>(array, shape), Dtype::float16};
  if (kind == 'b') return {copied<bool>(array, shape), Dtype::boolean};
  if (kind == 'i' && bytes == 8) return tagged(copied<int64_t>(array, shape), Dtype::int64, {});
  if (kind == 'i' && bytes == 4) return tagged(copied<int32_t>(array, shape), Dtype::int32, {});
  if (kind == 'i' && bytes == 2) return {copied<int16_t>(array, shape), Dtype::int16};
  if (kind == 'i' && bytes == 1) return {copied<int8_t>(array, shape), Dtype::int8};
  if (kind == 'u' && bytes == 1) return {copied<uint8_t>(array, shape), Dtype::uint8};
  throw py::type_error("there are no tensors of " + py::str(array.dtype()).cast<std::string>() +
                       " here: convert the array with .astype('float32')");
}

py::object to_array(const TypedTensor& x) {
  switch (x.dtype) {
    case Dtype::boolean:
      return array_of<bool>(x.tensor);
    case Dtype::uint8:
      return array_of<uint8_t>(x.tensor);
    case Dtype::int8:
      return array_of<int8_t>(x.tensor);
    case Dtype::int16:
      return array_of<int16_t>(x.tensor);
    case Dtype::int32:
      return array_of<int32_t>(x.tensor);
    case Dtype::int64:
      return array_of<int64_t>(x.tensor);
    case Dtype::float16:
      return array_of<float>(x.tensor, "float16");
    case Dtype::bfloat16:
      throw py::type_error("NumPy has no bfloat16: use x.float().numpy()");
    default:
      return shared_array(x);
  }
}

}  // namespace stepgrad::python
