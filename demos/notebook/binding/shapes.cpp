// The same numbers in another shape, order or number.
#include <algorithm>

#include "core/check.hpp"
#include "demos/notebook/binding/index.hpp"
#include "demos/notebook/binding/tensor.hpp"
#include "ops/ops.hpp"

namespace stepgrad::python {
namespace {

Loc line_of(const TypedTensor& x) { return line_if_recorded(x.tensor); }

// f({dims...}): the engine takes as many dimensions as its caller writes.
template <class F, size_t... I>
Tensor with_dims(const std::vector<int>& dims, const F& f, std::index_sequence<I...>) {
  return f(Dims{dims[I]...});
}
template <class F>
Tensor with_dims(const std::vector<int>& dims, const F& f) {
  switch (dims.size()) {
    case 0:
      return f(Dims{});
    case 1:
      return with_dims(dims, f, std::make_index_sequence<1>());
    case 2:
      return with_dims(dims, f, std::make_index_sequence<2>());
    case 3:
      return with_dims(dims, f, std::make_index_sequence<3>());
    case 4:
      return with_dims(dims, f, std::make_index_sequence<4>());
    case 5:
      return with_dims(dims, f, std::make_index_sequence<5>());
    default:
      return with_dims(dims, f, std::make_index_sequence<6>());
  }
}

TypedTensor permuted(const TypedTensor& x, const py::args& args) {
  if (args.size() == 0) throw py::type_error("permute: the order of dimensions is missing");
  const Shape order = shape_from(args);
  const Loc loc = line_of(x);
  return computed([&] {
    const std::vector<int> dims(order.begin(), order.end());
    return TypedTensor{with_dims(dims,
                                 [&](Dims d) {
                                   return permute({x.tensor, loc}, d);
                                 }),
                       x.dtype};
  });
}

TypedTensor transposed(const TypedTensor& x, int a, int b) {
  const Loc loc = line_of(x);
  return computed([&] { return TypedTensor{transpose({x.tensor, loc}, a, b), x.dtype}; });
}

TypedTensor reshaped(const TypedTensor& x, const py::args& sizes) {
  const Shape shape = shape_from(sizes);
  return {reshape({x.tensor, line_of(x)}, shape), x.dtype};
}

TypedTensor squeezed(const TypedTensor& x, const py::object& dim) {
  if (!dim.is_none() && x.tensor.dim() == 0) Shape{1}.index(dim.cast<int>(), "squeeze");
  if (!dim.is_none() && x.tensor.dim() > 0)
    return {squeeze({x.tensor, line_of(x)}, dim.cast<int>()), x.dtype};
  std::vector<int64_t> sizes;
  for (const int64_t size : x.tensor.shape()) {
    if (size != 1) sizes.push_back(size);
  }
  return {reshape({x.tensor, line_of(x)}, Shape{std::span<const int64_t>(sizes)}), x.dtype};
}

TypedTensor flattened(const TypedTensor& x, int begin, int end) {
  const Shape& shape = x.tensor.shape();
  if (shape.dims() == 0) return {reshape({x.tensor, line_of(x)}, {1}), x.dtype};
  begin = shape.index(begin, "flatten"), end = shape.index(end, "flatten");
  check<Error>(begin <= end, "flatten: start_dim comes after end_dim");
  if (begin == end) return x;
  std::vector<int64_t> sizes(shape.begin(), shape.begin() + begin);
  sizes.push_back(shape.numel(begin, end + 1));
  sizes.insert(sizes.end(), shape.begin() + end + 1, shape.end());
  return {reshape({x.tensor, line_of(x)}, Shape{std::span<const int64_t>(sizes)}), x.dtype};
}

TypedTensor concatenated(const py::sequence& list, int dim, bool stacked) {
  std::vector<Tensor> xs;
  Dtype dtype = Dtype::boolean;
  Loc loc{};
  for (py::handle item : list) {
    const Operand x(item);
    dtype = xs.empty() ? x.dtype : promote(dtype, x.dtype);
    if (!loc.file) loc = line_of(x);
    xs.push_back(x.tensor);
  }
  check<Error>(!xs.empty(), stacked ? "stack" : "cat", ": expected a non-empty list of tensors");
  return computed([&] {
    if (stacked) return TypedTensor{stack(xs, dim, loc), dtype};
    for (const Tensor& x : xs)
      check<Error>(x.dim() > 0, "cat: a number, without dimensions, cannot be concatenated");
    // As torch does, whatever the others' shape is.
    const auto is_nothing = [](const Tensor& x) { return x.shape() == Shape{0}; };
    if (!std::all_of(xs.begin(), xs.end(), is_nothing)) std::erase_if(xs, is_nothing);
    return TypedTensor{concat(xs, dim, loc), dtype};
  });
}

// The elements [begin, begin + n) along dim.
TypedTensor narrow(const TypedTensor& x, int dim, int64_t begin, int64_t n) {
  check<Error>(x.tensor.dim() > 0, "narrow: a number has no dimension to be cut along");
  const int64_t size = x.tensor.size(dim);
  if (begin < 0) begin += size;
  check<Error>(0 <= begin && 0 <= n && begin + n <= size, "narrow: [", begin, ", ", begin + n,
               ") is outside [0, ", size, ")");
  const Loc loc = line_of(x);
  return computed([&] {
    return TypedTensor{slice({x.tensor, loc}, dim, begin, begin + n), x.dtype};
  });
}

TypedTensor triangle(const TypedTensor& x, int64_t diagonal, bool upper) {
  check<IndexError>(x.tensor.dim() >= 2, upper ? "triu: " : "tril: ", x.tensor.shape(),
                    " is not a matrix");
  const Loc loc = line_of(x);
  return computed([&] {
    return TypedTensor{upper ? triu({x.tensor, loc}, diagonal) : tril({x.tensor, loc}, diagonal),
                       x.dtype};
  });
}

TypedTensor filled(const TypedTensor& x, const TypedTensor& mask, const py::object& value) {
  check<Error>(mask.dtype == Dtype::boolean, "masked_fill: the mask is ", type_name(mask.dtype),
               ", and not Bool");
  const Operand v(value);
  const Scalar fill =
      to_dtype(v, is_floating(x.dtype) ? Dtype::float32 : x.dtype, {}).tensor.item();
  const Loc loc = line_of(x);
  const Shape shape = broadcast("masked_fill", x.tensor.shape(), mask.tensor.shape());
  const Tensor wide = shape == x.tensor.shape() ? x.tensor : expand({x.tensor, loc}, shape);
  return tagged(masked_fill({wide, loc}, mask.tensor, fill), x.dtype, loc);
}

}  // namespace

void bind_shapes(py::module_& module, Class& tensor) {
  const auto self = py::return_value_policy::reference;
  tensor.def("reshape", &reshaped)
      .def("view",
           [](const py::object& x, const py::args& sizes) -> py::object {
             if (sizes.size() == 1 && py::isinstance<Dtype>(sizes[0]))
               throw Error("view: numbers are not seen as another dtype here; to() converts them");
             return py::cast(reshaped(x.cast<const TypedTensor&>(), sizes));
           })
      .def("transpose", &transposed, py::arg("dim0"), py::arg("dim1"))
      .def("permute", &permuted)
      .def("t",
           [](const TypedTensor& x) {
             check<Error>(x.tensor.dim() <= 2, "t: ", x.tensor.shape(),
                          " has more than two dimensions");
             return x.tensor.dim() < 2 ? x : transposed(x, 0, 1);
           })
      .def_property_readonly("T",
                             [](const TypedTensor& x) {
                               std::vector<int> dims;
                               for (int dim = x.tensor.dim() - 1; dim >= 0; --dim)
                                 dims.push_back(dim);
                               const Loc loc = line_of(x);
                               return TypedTensor{with_dims(dims,
                                                            [&](Dims d) {
                                                              return permute({x.tensor, loc}, d);
                                                            }),
                                                  x.dtype};
                             })
      .def(
          "unsqueeze",
          [](const TypedTensor& x, int dim) {
            return TypedTensor{unsqueeze({x.tensor, line_of(x)}, dim), x.dtype};
          },
          py::arg("dim"))
      .def("squeeze", &squeezed, py::arg("dim") = py::none())
      .def("flatten", &flattened, py::arg("start_dim") = 0, py::arg("end_dim") = -1)
      .def("expand",
           [](const TypedTensor& x, const py::args& sizes) {
             return TypedTensor{expand({x.tensor, line_of(x)}, shape_from(sizes)), x.dtype};
           })
      .def("repeat",
           [](const TypedTensor& x, const py::args& times) {
             return TypedTensor{repeat({x.tensor, line_of(x)}, shape_from(times)), x.dtype};
           })
      .def("narrow", &narrow, py::arg("dim"), py::arg("start"), py::arg("length"))
      .def(
          "triu", [](const TypedTensor& x, int64_t d) { return triangle(x, d, true); },
          py::arg("diagonal") = 0)
      .def(
          "tril", [](const TypedTensor& x, int64_t d) { return triangle(x, d, false); },
          py::arg("diagonal") = 0)
      .def("masked_fill", &filled, py::arg("mask"), py::arg("value"))
      .def(
          "masked_fill_",
          [](TypedTensor& x, const TypedTensor& mask, const py::object& value) -> TypedTensor& {
            write_in_place("masked_fill_", x, filled(before_in_place(x), mask, value).tensor);
            return x;
          },
          py::arg("mask"), py::arg("value"), self)
      .def("clone",
           [](const TypedTensor& x) {
             return TypedTensor{clone({x.tensor, line_of(x)}), x.dtype};
           })
      .def(
          "zero_",
          [](TypedTensor& x) -> TypedTensor& {
            x.tensor.zero_();
            return x;
          },
          self)
      .def(
          "fill_",
          [](TypedTensor& x, double value) -> TypedTensor& {
            const TypedTensor to{Tensor::full({}, static_cast<Scalar>(value))};
            x.tensor.fill_(to_dtype(to, x.dtype, {}).tensor.item());
            return x;
          },
          py::arg("value"), self)
      .def(
          "copy_",
          [](TypedTensor& x, const TypedTensor& source) -> TypedTensor& {
            const Loc loc = line_if_recorded(x.tensor, source.tensor);
            const TypedTensor same = to_dtype(source, x.dtype, loc);
            const Tensor wide = same.tensor.shape() == x.tensor.shape()
                                    ? clone({same.tensor, loc})
                                    : expand({same.tensor, loc}, x.tensor.shape());
            write_in_place("copy_", x, wide);
            return x;
          },
          py::arg("src"), self);
  module.def("_cat", &concatenated);
}

}  // namespace stepgrad::python
