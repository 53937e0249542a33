// Copies in which values are written or added at given places.
#include <utility>

#include "core/check.hpp"
#include "demos/python/binding/python_index.hpp"
#include "demos/python/binding/tensor.hpp"
#include "ops/clone.hpp"

namespace stepgrad::python {
namespace {

// The places in x of the elements that `index` names along dim, as for scatter.
Places places_along(const TypedTensor& x, int dim, const TypedTensor& index) {
  const Shape &shape = x.tensor.shape(), &named = index.tensor.shape();
  check<Error>(index.dtype == Dtype::int64, "scatter: an index is int64, and not ", type_name(index.dtype));
  check<Error>(named.dims() == shape.dims() || named.numel() == 0, "scatter: an index of ", named, " into ", shape,
      ": it has not as many dimensions");
  dim = shape.index_or_0(dim, "scatter");
  Layout begins(shape.dims() ? shape : Shape{1});
  const int64_t n = begins.shape.along(dim), stride = std::exchange(begins.stride[dim], 0);
  begins.shape = shape.dims() ? named : Shape{1};
  for (int d = 0; named.numel() && d < shape.dims(); ++d)
    check<Error>(d == dim || named[d] <= shape[d], "scatter: an index of ", named, " into ", shape,
        ": it is larger in another dimension than ", dim);
  auto offsets = std::make_shared<std::vector<int64_t>>();
  const Scalar* id = index.tensor.data();
  if (named.numel())
    for_each_place(begins, [&](int64_t begin) {
      const auto i = int64_t(*id++);
      check<Error>(0 <= i && i < n, "scatter: index ", i, " is out of bounds for dimension ", dim, " with size ", n);
      offsets->push_back(begin + i * stride);
    });
  Places places(named, std::move(offsets));
  if (index.tensor.node()) places.by = index.tensor;
  tell_read(index, "an index");
  return places;
}

// A copy of x with `values` written or added at the places.
TypedTensor put(const TypedTensor& x, Places places, const py::object& value, bool accumulate) {
  const Operand values(value);
  const Loc loc = line_of(x, values);
  const Tensor y = clone({x.tensor, loc});
  places.accumulate = accumulate;
  unsafe_index_put_({y, loc}, places, {elements(values, x.dtype, loc).tensor, loc});
  const TypedTensor result = tagged(y, x.dtype, loc);
  show_as(result, "IndexPutBackward0", {&x, values.number ? nullptr : &values});
  return result;
}

}

void bind_scatter(Class& tensor) {
  tensor.def("_scatter",
      [](const TypedTensor& x, int dim, const TypedTensor& index, const py::object& values, bool accumulate) {
        return put(x, places_along(x, dim, index), values, accumulate);
      });
  tensor.def(
      "index_put",
      [](const TypedTensor& x, const py::tuple& indices, const py::object& values, Flag accumulate) {
        if (!py::isinstance<TypedTensor>(values)) throw py::type_error("index_put(): values must be a tensor");
        check<Error>(!indices.empty(), "index_put(): at least one index is wanted");
        check_same_dtype(x.dtype, values.cast<const TypedTensor&>().dtype);
        return put(x, places_of(Layout(x.tensor.shape()), indices), values, accumulate);
      },
      "indices"_a, "values"_a, "accumulate"_a = false);
}

}
