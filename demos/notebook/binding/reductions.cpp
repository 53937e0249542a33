// Reductions to one number or along dimensions, and what is found by looking along one.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/check.hpp"
#include "demos/notebook/binding/index.hpp"
#include "demos/notebook/binding/tensor.hpp"
#include "ops/ops.hpp"

namespace stepgrad::python {
namespace {

// Without a dimension each of `dims` in turn, the last first, so that the others keep their place.
template <class Reduce>
Tensor over_dims(Tensor x, std::vector<int> dims, bool keepdim, const Reduce& reduce) {
  if (x.dim() == 0) x = x.reshape({1}), keepdim = false;
  for (int& dim : dims) dim = x.shape().index(dim, "dim");
  std::sort(dims.rbegin(), dims.rend());
  check<Error>(std::adjacent_find(dims.begin(), dims.end()) == dims.end(),
               "a dimension appears twice in the list of dims");
  for (int dim : dims) x = reduce(x, dim, keepdim);
  return x;
}

TypedTensor sum_of(const TypedTensor& x, const py::object& dim, bool keepdim) {
  const std::vector<int> dims = dims_from(dim);
  const Dtype dtype = is_floating(x.dtype) ? x.dtype : Dtype::int64;
  const Loc loc = line_if_recorded(x.tensor);
  return computed([&] {
    const auto one = [&](const Tensor& t, int d, bool keep) { return sum({t, loc}, d, keep); };
    return tagged(dims.empty() ? sum({x.tensor, loc}) : over_dims(x.tensor, dims, keepdim, one),
                  dtype, loc);
  });
}

TypedTensor mean_of(const TypedTensor& x, const py::object& dim, bool keepdim) {
  check<Error>(is_floating(x.dtype), "mean: of floating point numbers only, not of ",
               type_name(x.dtype));
  const std::vector<int> dims = dims_from(dim);
  const Loc loc = line_if_recorded(x.tensor);
  return computed([&] {
    const auto one = [&](const Tensor& t, int d, bool keep) { return mean({t, loc}, d, keep); };
    return tagged(dims.empty() ? mean({x.tensor, loc}) : over_dims(x.tensor, dims, keepdim, one),
                  x.dtype, loc);
  });
}

TypedTensor extreme_of(const TypedTensor& x, const py::object& dim, bool keepdim, bool largest) {
  std::vector<int> dims = dims_from(dim);
  const Loc loc = line_if_recorded(x.tensor);
  return computed([&] {
    const auto one = [&](const Tensor& t, int d, bool keep) {
      return largest ? amax({t, loc}, d, keep) : amin({t, loc}, d, keep);
    };
    if (dims.empty()) {
      const Tensor flat = reshape({x.tensor, loc}, {x.tensor.numel()});
      return TypedTensor{one(flat, 0, false), x.dtype};
    }
    return TypedTensor{over_dims(x.tensor, dims, keepdim, one), x.dtype};
  });
}

// The offsets of the elements along `dim`, one row for each place in the other dimensions.
struct Rows {
  Rows(const Shape& shape, int dim)
      : n(shape[dim]),
        stride(shape.numel(dim + 1, shape.dims())),
        rows(n ? shape.numel() / n : 0) {}
  int64_t begin(int64_t row) const { return row / stride * stride * n + row % stride; }
  int64_t n, stride, rows;
};

// The k largest or smallest along `dim`, sorted; equal ones in the order in which they stand.
py::object sorted(const TypedTensor& x, int64_t k, int dim, bool largest) {
  Tensor t = x.tensor;
  if (t.dim() == 0) t = t.reshape({1});
  dim = t.shape().index(dim, "topk");
  const Rows rows(t.shape(), dim);
  check<Error>(0 <= k && k <= rows.n, "topk: k = ", k, " is outside [0, ", rows.n, "]");
  const Shape shape = t.shape().with(dim, k);
  auto offsets = std::make_shared<std::vector<int64_t>>(static_cast<size_t>(shape.numel()));
  const Tensor indices = Tensor::empty(shape);
  std::vector<int64_t> order(static_cast<size_t>(rows.n));
  for (int64_t row = 0; row < rows.rows; ++row) {
    const int64_t begin = rows.begin(row);
    const auto key = [&](int64_t i) {
      const Scalar v = t.data()[begin + i * rows.stride];
      return std::isnan(v) ? infinity : v;
    };
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      return largest ? key(a) > key(b) : key(a) < key(b);
    });
    for (int64_t i = 0; i < k; ++i) {
      const int64_t at = row / rows.stride * rows.stride * k + row % rows.stride + i * rows.stride;
      const int64_t chosen = order[static_cast<size_t>(i)];
      indices.data()[at] = static_cast<Scalar>(chosen);
      (*offsets)[static_cast<size_t>(at)] = begin + chosen * rows.stride;
    }
  }
  const Shape result = x.tensor.dim() == 0 ? Shape{} : shape;
  const Loc loc = line_if_recorded(x.tensor);
  const TypedTensor values{take({x.tensor, loc}, {offsets, result}), x.dtype};
  return py::make_tuple(values, TypedTensor{indices.with_shape(result), Dtype::int64});
}

// out[.., i, ..] = x[.., ids[.., i, ..], ..] along dim, as torch.gather.
TypedTensor gather(const TypedTensor& x, int dim, const TypedTensor& ids) {
  const Shape &from = x.tensor.shape(), &shape = ids.tensor.shape();
  check<Error>(from.dims() == shape.dims(), "gather: ids ", shape, " and tensor ", from,
               " have different numbers of dimensions");
  dim = from.index(dim, "gather");
  auto offsets = std::make_shared<std::vector<int64_t>>();
  for (int64_t i = 0; i < shape.numel(); ++i) {
    int64_t rest = i, offset = 0;
    for (int d = shape.dims() - 1; d >= 0; --d) {
      int64_t at = rest % shape[d];
      rest /= shape[d];
      if (d == dim) at = static_cast<int64_t>(ids.tensor.data()[i]);
      check<Error>(0 <= at && at < from[d], "gather: index ", at,
                   " is out of bounds for dimension ", d, " with size ", from[d]);
      offset += at * from.numel(d + 1, from.dims());
    }
    offsets->push_back(offset);
  }
  const Loc loc = line_if_recorded(x.tensor);
  return {take({x.tensor, loc}, {std::move(offsets), shape}), x.dtype};
}

}  // namespace

void bind_reductions(Class& tensor) {
  const auto reduction = [&](const char* name, auto f) {
    tensor.def(name, f, py::arg("dim") = py::none(), py::arg("keepdim") = false);
  };
  reduction("_sum", &sum_of);
  reduction("_mean", &mean_of);
  reduction("amax", [](const TypedTensor& x, const py::object& dim, bool keepdim) {
    return extreme_of(x, dim, keepdim, true);
  });
  reduction("amin", [](const TypedTensor& x, const py::object& dim, bool keepdim) {
    return extreme_of(x, dim, keepdim, false);
  });
  const auto spread = [&](const char* name, auto f) {
    tensor.def(
        name, [=](const TypedTensor& x, const py::object& dim, bool keepdim, int correction) {
          check<Error>(is_floating(x.dtype), name + 1, ": of floating point numbers only, not of ",
                       type_name(x.dtype));
          const std::vector<int> dims = x.tensor.dim() ? dims_from(dim) : std::vector<int>{};
          return TypedTensor{
              f({x.tensor, line_if_recorded(x.tensor)}, Dims(dims), keepdim, correction), x.dtype};
        });
  };
  spread("_var", &var);
  spread("_std", &stddev);
  tensor.def("_sorted", &sorted);
  tensor.def("_extreme", [](const TypedTensor& x, int dim, bool keepdim, bool largest) {
    const Arg arg{x.tensor, line_if_recorded(x.tensor)};
    const auto [values, indices] = largest ? max(arg, dim, keepdim) : min(arg, dim, keepdim);
    return py::make_tuple(TypedTensor{values, x.dtype}, TypedTensor{indices, Dtype::int64});
  });
  tensor.def("gather", &gather, py::arg("dim"), py::arg("index"));
  tensor.def(
      "cumsum",
      [](const TypedTensor& x, int dim) {
        const Loc loc = line_if_recorded(x.tensor);
        const Dtype dtype = is_floating(x.dtype) ? x.dtype : Dtype::int64;
        if (x.tensor.dim() == 0) return TypedTensor{clone({x.tensor, loc}), dtype};
        return tagged(cumsum({x.tensor, loc}, dim), dtype, loc);
      },
      py::arg("dim"));
}

}  // namespace stepgrad::python
