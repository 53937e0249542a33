#include "demos/python/binding/tensor.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <string_view>

#include "core/check.hpp"
#include "core/memory/storage.hpp"
#include "core/tape/record.hpp"
#include "core/tensor/print.hpp"
#include "ops/ops.hpp"

namespace stepgrad::python {
namespace {

// A Python or NumPy number, with its dtype.
Number number(py::handle object) {
  Number x = number_from(object);
  if (PyLong_Check(object.ptr()) || PyFloat_CheckExact(object.ptr())) return x;
  const py::object code = py::getattr(py::getattr(object, "dtype", py::none()), "char", py::none());
  if (!py::isinstance<py::str>(code)) return x;
  constexpr std::string_view codes = "?Bbhile";  // NumPy's, in the order of Dtype
  const size_t found = codes.find(code.cast<std::string>());
  if (found != codes.npos) x.dtype = Dtype(found);
  return x;
}

// NumPy's, which is also a Python float.
bool is_float64(py::handle number) {
  return PyFloat_Check(number.ptr()) && !PyFloat_CheckExact(number.ptr()) && py::hasattr(number, "dtype");
}

// The numbers of nested sequences, row after row, and their shape.
struct NestedSequences {
  static constexpr const char* uneven = "a number stands where others have a sequence";
  std::vector<Number> numbers;
  Dtype dtype = Dtype::boolean;
  bool wide = false;  // a float64 is among them
  std::vector<int64_t> sizes;

  void add(py::handle data, size_t depth) {
    const bool tensor = py::isinstance<TypedTensor>(data);
    if (!tensor && PySequence_Check(data.ptr()) && !py::isinstance<py::str>(data)) {
      if (depth == kernels::max_dims)
        throw py::value_error(text_of("too many dimensions: sequences in sequences, more than ", depth, " deep"));
      const auto items = py::reinterpret_borrow<py::sequence>(data);
      const auto size = int64_t(items.size());
      if (depth == sizes.size() && numbers.empty()) sizes.push_back(size);
      if (depth >= sizes.size()) throw py::type_error(uneven);
      if (sizes[depth] != size)
        throw py::value_error(
            text_of("expected sequence of length ", sizes[depth], " at dim ", depth, " (got ", size, ")"));
      for (size_t i = 0; i < items.size(); ++i) {
        const py::object item = items[i];  // made for us alone by a range or an array
        add(item, depth + 1);
      }
      return;
    }
    if (depth != sizes.size()) throw py::type_error(uneven);
    check<Error>(tensor || PyNumber_Check(data.ptr()) || py::isinstance<py::str>(data), "could not infer the dtype of ",
        py::repr(data).cast<std::string>());
    Number x = number(tensor ? data.attr("item")() : py::reinterpret_borrow<py::object>(data));
    if (tensor) x.dtype = data.cast<const TypedTensor&>().dtype;
    numbers.push_back(x);
    dtype = numbers.size() > 1 ? promote(dtype, x.dtype) : x.dtype;
    wide = wide || is_float64(data);
  }
};

py::object to_list(const TypedTensor& x, int dim, int64_t offset) {
  if (dim == x.tensor.dim()) {
    const Scalar value = x.tensor.data()[offset];
    if (is_floating(x.dtype)) return py::float_(double{value});
    if (x.dtype == Dtype::boolean) return py::bool_(value != 0);
    return py::int_(int64_t(value));
  }
  const int64_t n = x.tensor.shape()[dim];
  py::list list{size_t(n)};
  for (int64_t i = 0; i < n; ++i) list[i] = to_list(x, dim + 1, offset * n + i);
  return list;
}

py::object item(const TypedTensor& x, const char* how = "item()") {
  if (x.tensor.numel() != 1) throw py::value_error("only one element tensors can be converted to Python scalars");
  tell_read(x, how);
  return to_list({x.tensor.with_shape({}), x.dtype}, 0, 0);
}

bool truth(const TypedTensor& x) {
  check<Error>(x.tensor.numel() <= 1, "the truth of a tensor with more than one value is ambiguous");
  check<Error>(x.tensor.numel() == 1, "the truth of a tensor without values is ambiguous");
  tell_read(x, "bool()");
  return x.tensor.data()[0] != 0;
}

}

py::object size_object(const Shape& shape) {
  static const auto& size = *new py::object(py::module_::import("stepgrad.size").attr("Size"));
  py::tuple sizes(size_t(shape.dims()));
  for (int i = 0; i < shape.dims(); ++i) sizes[size_t(i)] = shape[i];
  return size(sizes);
}

Shape shape_from(py::handle sizes) {
  const bool several = PyTuple_Check(sizes.ptr()) || PyList_Check(sizes.ptr());
  py::list list;
  if (several)
    list = py::list(py::reinterpret_borrow<py::object>(sizes));
  else
    list.append(sizes);
  std::vector<int64_t> result;
  for (py::handle size : list) {
    if (!(several && py::isinstance<TypedTensor>(size)) && !is_whole(size))
      throw py::type_error(
          "a whole number is wanted, or a tuple or list of them, and not " + py::repr(size).cast<std::string>());
    const auto whole = py::reinterpret_steal<py::object>(PyNumber_Index(size.ptr()));
    if (!whole) throw py::error_already_set();
    result.push_back(whole.cast<int64_t>());
  }
  return Shape{std::span<const int64_t>(result)};
}

Shape shape_from(const py::args& sizes) {
  const bool one = sizes.size() == 1 && !is_whole(sizes[0]);
  return shape_from(one ? py::object(sizes[0]) : py::object(sizes));
}

std::vector<int> dims_from(py::handle dims) {
  if (dims.is_none()) return {};
  const Shape list = shape_from(dims);
  std::vector<int> result;
  for (const int64_t dim : list) result.push_back(int(std::clamp<int64_t>(dim, INT_MIN, INT_MAX)));
  return result;
}

Tensor tensor_or_none(const py::object& x) { return x.is_none() ? Tensor() : x.cast<const TypedTensor&>().tensor; }

TypedTensor tensor_from(py::handle data, std::optional<Dtype> dtype) {
  if (py::isinstance<TypedTensor>(data)) {
    const auto& x = data.cast<const TypedTensor&>();
    return to_dtype({x.tensor.copied(), x.dtype}, dtype.value_or(x.dtype), {});
  }
  if (py::hasattr(data, "__array_interface__") && PySequence_Check(data.ptr())) {
    py::object array = py::reinterpret_borrow<py::object>(data);
    const bool wide = py::str(array.attr("dtype")).cast<std::string>() == "float64";
    if (wide && dtype) array = array.attr("astype")("float32");
    const TypedTensor x = from_array(array);
    return to_dtype({x.tensor.copied(), x.dtype}, dtype.value_or(x.dtype), {});
  }
  NestedSequences nested;
  nested.add(data, 0);
  const Dtype tag = dtype.value_or(nested.numbers.empty() ? Dtype::float32 : nested.dtype);
  std::vector<Scalar> values;
  if (nested.wide && !dtype) warn_of_float64();
  for (const Number& x : nested.numbers) values.push_back(is_floating(tag) ? Scalar(x.value) : element(x, tag));
  const Shape shape{std::span<const int64_t>(nested.sizes)};
  const Tensor x = Tensor::from(values, shape);
  return category(tag) == 1 ? TypedTensor{x, tag} : tagged(x, tag, {});
}

void bind_tensor(py::module_& module, Class& tensor) {
  tensor
      .def(py::init([](py::handle data) {
        if (data.is_none()) return TypedTensor{Tensor::empty({0})};
        if (py::isinstance<TypedTensor>(data)) return data.cast<TypedTensor>();
        if (PyFloat_Check(data.ptr())) throw py::type_error("Tensor(): of a size or a sequence");
        if (PyLong_CheckExact(data.ptr())) return TypedTensor{Tensor::empty(shape_from(data))};
        return tensor_from(data, Dtype::float32);
      }),
          "data"_a = py::none())
      .def(py::init([](const py::args& sizes) {  // torch.Tensor(2, 3)
        return TypedTensor{Tensor::empty(shape_from(sizes))};
      }))
      .def_property_readonly("shape", [](const TypedTensor& x) { return size_object(x.tensor.shape()); })
      .def(
          "size",
          [](const TypedTensor& x, py::object dim) -> py::object {
            if (dim.is_none()) return size_object(x.tensor.shape());
            return py::int_(x.tensor.size(dim.cast<int>()));
          },
          "dim"_a = py::none())
      .def_property_readonly("dtype", [](const TypedTensor& x) { return dtype_object(x.dtype); })
      .def_property_readonly("ndim", [](const TypedTensor& x) { return x.tensor.dim(); })
      .def("dim", [](const TypedTensor& x) { return x.tensor.dim(); })
      .def("numel", [](const TypedTensor& x) { return x.tensor.numel(); })
      .def("data_ptr",
          [](const TypedTensor& x) { return reinterpret_cast<uintptr_t>(base_of(x).data() + layout_of(x).offset); })
      .def("type_name", [](const TypedTensor& x) { return type_name(x.dtype); })
      .def("item", [](const TypedTensor& x) { return item(x); })
      .def("_tell_read",
          [](const TypedTensor& x, const py::str& how) {
            how.inc_ref();  // its text stays
            tell_read(x, PyUnicode_AsUTF8(how.ptr()));
          })
      .def("tolist",
          [](const TypedTensor& x) {
            tell_read(x, "tolist()");
            return to_list(x, 0, 0);
          })
      .def(
          "numpy",
          [](const TypedTensor& x, Flag force) {
            check<Error>(force || !x.tensor.requires_grad(),
                "numpy(): this tensor requires a gradient, "
                "which an array cannot have: use x.detach().numpy()");
            return to_array(x);
          },
          py::kw_only(), "force"_a = false)
      .def("_bytes",
          [](const TypedTensor& x) {  // of dense float32
            const auto* numbers = base_of(x).data() + layout_of(x).offset;
            const auto n = size_t(x.tensor.numel());
            return py::bytes(reinterpret_cast<const char*>(numbers), n * sizeof(float));
          })
      .def("is_floating_point", [](const TypedTensor& x) { return is_floating(x.dtype); })
      .def("__len__",
          [](const TypedTensor& x) {
            if (x.tensor.dim() == 0) throw py::type_error("len() of a 0-d tensor");
            return x.tensor.size(0);
          })
      .def("__bool__", &truth)
      .def("__float__", [](const TypedTensor& x) { return py::float_(item(x, "float()")); })
      .def("__int__", [](const TypedTensor& x) { return py::int_(item(x, "int()")); })
      .def("__index__",
          [](const TypedTensor& x) {
            if (is_floating(x.dtype) || x.tensor.numel() != 1)
              throw py::type_error("only integer tensors of a single element can be an index");
            return py::int_(item(x, "int()"));
          })
      .def("__hash__", [](py::handle x) { return reinterpret_cast<Py_ssize_t>(x.ptr()) >> 4; })
      .def("_to",
          [](const py::object& self, Dtype dtype) {
            const auto& x = self.cast<const TypedTensor&>();
            if (x.dtype == dtype) return self;
            return py::cast(to_dtype(x, dtype, line_of(x)));
          })
      .def_property(
          "name", [](const TypedTensor& x) { return std::string(x.tensor.name()); },
          [](const TypedTensor& x, const std::string& name) { x.tensor.set_name(name); });

  const auto maker = [&](const char* name, auto make) {
    module.def(name, [make](const py::object& sizes, Dtype dtype) {
      const Shape shape = shape_from(sizes);
      return computed([&] { return tagged(make(shape), dtype, {}); });
    });
  };
  module.def("_empty", [](const py::object& sizes, Dtype dtype) {
    const Shape shape = shape_from(sizes);  // what nobody has written is no whole number
    return tagged(is_floating(dtype) ? Tensor::empty(shape) : Tensor::zeros(shape), dtype, {});
  });
  maker("_zeros", [](const Shape& shape) { return Tensor::zeros(shape); });
  maker("_ones", [](const Shape& shape) { return Tensor::ones(shape); });
  maker("_rand", [](const Shape& shape) { return Tensor::rand(shape); });
  maker("_randn", [](const Shape& shape) { return Tensor::randn(shape); });
  module.def("_full", [](const py::object& sizes, Number value, Dtype dtype) {
    return tagged(Tensor::full(shape_from(sizes), element(value, dtype)), dtype, {});
  });
  module.def("_arange", [](Number begin, Number end, Number step, Dtype dtype) {
    return to_dtype({arange(begin.value, end.value, step.value)}, dtype, {});
  });
  module.def("_is_whole", [](const py::object& x) { return is_whole(x); });
  module.def("_number", [](const py::object& x) {
    return py::isinstance<TypedTensor>(x) ? py::object(py::float_(real_from(x).value)) : x;
  });
  module.def("_linspace",
      [](Number begin, Number end, int64_t n) { return TypedTensor{linspace(begin.value, end.value, n)}; });
  module.def("_eye", [](int64_t n, int64_t m) { return TypedTensor{eye(n, m)}; });
  module.def("_allclose", [](const TypedTensor& a, const TypedTensor& b, double rtol, double atol) {
    return allclose(arg_of(a), arg_of(b), rtol, atol);
  });
  module.def("_of_bytes", [](std::string_view bytes) {
    check<ValueError>(
        bytes.size() % sizeof(float) == 0, "load: ", bytes.size(), " bytes are no whole number of floats");
    const size_t n = bytes.size() / sizeof(float);
    const Tensor x = Tensor::empty({int64_t(n)});
    std::memcpy(x.data(), bytes.data(), n * sizeof(float));
    return TypedTensor{x};
  });
  module.def("_tensor", &tensor_from, "data"_a, "dtype"_a = py::none());
  module.def(
      "_text",
      [](const TypedTensor& x, const std::vector<std::string>& suffixes, int precision, double threshold,
          int64_t edgeitems, int64_t linewidth, std::optional<bool> sci_mode) {
        constexpr Elements by_category[] = {Elements::booleans, Elements::integers, Elements::floats};
        return text_of(
            x.tensor, by_category[category(x.dtype)], suffixes, {precision, threshold, edgeitems, linewidth, sci_mode});
      },
      "x"_a, "suffixes"_a, "precision"_a, "threshold"_a, "edgeitems"_a, "linewidth"_a, "sci_mode"_a);
  module.def("_from_array", &from_array);
  module.def("_warn_of_float64", &warn_of_float64);
  module.def("_warn_of_copy", &warn_of_copy);
}

}
