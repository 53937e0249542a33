// Reductions to one number or along dimensions, and searches along one.
#include <pybind11/stl.h>

#include <algorithm>
#include <optional>

#include "core/check.hpp"
#include "demos/python/binding/tensor.hpp"
#include "ops/ops.hpp"

namespace stepgrad::python {
namespace {

// Without a dimension: each of `dims` in turn, the last first, so that the others keep their index.
template <class Reduce>
Tensor over_dims(Tensor x, std::vector<int> dims, bool keepdim, const Reduce& reduce) {
  if (x.dim() == 0) x = x.reshape({1}), keepdim = false;
  for (int& dim : dims) dim = x.shape().index(dim, "dim");
  std::sort(dims.rbegin(), dims.rend());
  check<Error>(
      std::adjacent_find(dims.begin(), dims.end()) == dims.end(), "a dimension appears twice in the list of dims");
  for (int dim : dims) x = reduce(x, dim, keepdim);
  return x;
}

TypedTensor sum_of(const TypedTensor& x, const py::object& dim, Flag keepdim) {
  const std::vector<int> dims = dims_from(dim);
  const Dtype dtype = is_floating(x.dtype) ? x.dtype : Dtype::int64;
  return recorded(x, dtype, [&](Arg a) { return sum(a, Dims(dims), keepdim); });
}

TypedTensor mean_of(const TypedTensor& x, const py::object& dim, Flag keepdim) {
  check_floating("mean", x);
  const std::vector<int> dims = dims_from(dim);
  return recorded(x, [&](Arg a) { return mean(a, Dims(dims), keepdim); });
}

template <bool largest>
TypedTensor extreme_of(const TypedTensor& x, const py::object& dim, Flag keepdim) {
  const std::vector<int> dims = dims_from(dim);
  const Loc loc = line_of(x);
  return computed([&] {
    const auto one = [&](const Tensor& t, int d, bool keep) {
      check<IndexError>(dims.empty() || t.shape()[d] > 0, "amax, amin: dimension ", d, " is empty");
      return largest ? amax({t, loc}, d, keep) : amin({t, loc}, d, keep);
    };
    if (dims.empty()) {
      const Tensor flat = reshape({x.tensor, loc}, {x.tensor.numel()});
      const Tensor found = one(flat, 0, false);
      const Shape ones(std::vector<int64_t>(keepdim ? x.tensor.dim() : 0, 1));
      return TypedTensor{keepdim ? reshape({found, loc}, ones) : found, x.dtype};
    }
    return TypedTensor{over_dims(x.tensor, dims, keepdim, one), x.dtype};
  });
}

// The two results of an op along a dimension.
py::object pair(const TypedTensor& x, const ValuesAndIndices& found) {
  return py::make_tuple(TypedTensor{found.values, x.dtype}, TypedTensor{found.indices, Dtype::int64});
}

}

void bind_reductions(Class& tensor) {
  const auto reduction = [&](const char* name, auto f) {
    tensor.def(name, f, "dim"_a = py::none(), "keepdim"_a = false);
  };
  reduction("_sum", &sum_of);
  reduction("_mean", &mean_of);
  reduction("amax", &extreme_of<true>);
  reduction("amin", &extreme_of<false>);
  const auto spread = [&](const char* name, auto f) {
    tensor.def(name, [=](const TypedTensor& x, const py::object& dim, Flag keepdim, int correction) {
      check_floating(name + 1, x);
      const std::vector<int> dims = x.tensor.dim() ? dims_from(dim) : std::vector<int>{};
      return recorded(x, [&](Arg a) { return f(a, Dims(dims), keepdim, correction); });
    });
  };
  tensor.def("_prod", [](const TypedTensor& x, std::optional<int> dim, Flag keepdim) {
    return recorded(x, [&](Arg a) { return dim ? prod(a, *dim, keepdim) : prod(a); });
  });
  spread("_var", &var);
  spread("_std", &stddev);
  tensor.def("_sorted", [](const TypedTensor& x, int64_t k, int dim, Flag largest) {
    const Arg arg = arg_of(x);
    return pair(x, computed([&] { return topk(arg, k, dim, largest); }));
  });
  tensor.def("_extreme", [](const TypedTensor& x, int dim, Flag keepdim, Flag largest) {
    const Arg arg = arg_of(x);
    return pair(x, largest ? max(arg, dim, keepdim) : min(arg, dim, keepdim));
  });
  tensor.def(
      "gather",
      [](const TypedTensor& x, int dim, const TypedTensor& index, Flag) {
        check<Error>(index.dtype == Dtype::int64, "gather: an index is int64, and not ", type_name(index.dtype));
        x.tensor.shape().index_or_0(dim, "gather");
        const Arg arg = arg_of(x);
        try {
          return TypedTensor{stepgrad::gather(arg, dim, {index.tensor, arg.loc}), x.dtype};
        } catch (const IndexError& error) {  // in torch no IndexError
          throw Error(error.what());
        }
      },
      "dim"_a, "index"_a, py::kw_only(), "sparse_grad"_a = false);
  tensor.def(
      "cumsum",
      [](const TypedTensor& self, int dim, std::optional<Dtype> asked) {
        const Dtype dtype = asked.value_or(is_floating(self.dtype) ? self.dtype : Dtype::int64);
        check<Error>(dtype != Dtype::boolean, "cumsum: not of bools as bools");
        const Loc loc = line_of(self);
        const TypedTensor x = to_dtype(self, dtype, loc);
        if (x.tensor.dim() == 0) return TypedTensor{clone({x.tensor, loc}), dtype};
        return tagged(cumsum({x.tensor, loc}, dim), dtype, loc);
      },
      "dim"_a, py::kw_only(), "dtype"_a = py::none());
}

}
