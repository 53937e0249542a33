// The functions behind torch.nn.functional, and the optimizer's step.
#include <limits>

#include "core/check.hpp"
#include "demos/python/binding/tensor.hpp"
#include "ops/ops.hpp"

namespace stepgrad::python {
namespace {

TypedTensor linear_of(const TypedTensor& x, const TypedTensor& weight, const py::object& bias) {
  check<Error>(modes.cast || x.dtype == weight.dtype, "linear: expected scalar type ", type_name(weight.dtype),
      " but found ", type_name(x.dtype));
  const Loc loc = line_of(x, weight);
  const Tensor b = tensor_or_none(bias);
  const Dtype dtype = of_products(x.dtype);
  return computed([&] {
    Tensor y = linear({x.tensor, loc}, {weight.tensor, loc});
    if (b.defined()) y = add({y, loc}, {b, loc});
    return tagged(std::move(y), dtype, loc);
  });
}

// `mask`, if not None, is true where a query must not look.
TypedTensor attention(const TypedTensor& q, const TypedTensor& k, const TypedTensor& v, const py::object& mask,
    Number scale, bool causal, Number p) {
  constexpr const char* op = "scaled_dot_product_attention";
  for (const TypedTensor* x : {&q, &k, &v}) {
    check_floating(op, *x);
    check<Error>(modes.cast || x->dtype == q.dtype, op, ": expected scalar type ", type_name(q.dtype), " but found ",
        type_name(x->dtype));
  }
  const Tensor hidden = tensor_or_none(mask);
  const Loc loc = grad_enabled() ? python_line() : Loc{};
  return computed([&] {
    constexpr Scalar none = -std::numeric_limits<Scalar>::infinity();
    const Tensor y =
        fused_attention({q.tensor, loc}, {k.tensor, loc}, {v.tensor, loc}, hidden, Scalar(scale), none, causal, p);
    return tagged(y, of_products(q.dtype), loc);
  });
}

using AlongDim = Tensor (*)(Arg, int);
TypedTensor along_dim(const char* op, AlongDim f, const TypedTensor& x, int dim) {
  x.tensor.dim() ? x.tensor.shape().index(dim, op) : Shape{1}.index(dim, op);
  check_floating(op, x);
  return recorded(x, [&](Arg a) {
    return a.tensor.dim() ? f(a, dim) : f({a.tensor.reshape({1}), a.loc}, 0).reshape({});
  });
}

}

Dtype of_products(Dtype dtype) {
  if (!modes.cast) return dtype;
  return modes.cast == &half ? Dtype::float16 : Dtype::bfloat16;
}

void check_floating(const char* op, const TypedTensor& x) {
  check<Error>(is_floating(x.dtype), op, ": of floating point numbers only, not of ", type_name(x.dtype));
}

void bind_networks(py::module_& module) {
  module.def("_check_floating", &check_floating);
  module.def("_linear", &linear_of);
  module.def("_attention", &attention);
  module.def("_softmax", [](const TypedTensor& x, int dim) { return along_dim("softmax", &softmax, x, dim); });
  module.def(
      "_log_softmax", [](const TypedTensor& x, int dim) { return along_dim("log_softmax", &log_softmax, x, dim); });
  module.def("_layer_norm", [](const TypedTensor& x, const TypedTensor& weight, const TypedTensor& bias, Number eps) {
    check_floating("layer_norm", x);
    const Loc loc = line_of(x, weight);
    return computed([&] {
      return tagged(layer_norm({x.tensor, loc}, {weight.tensor, loc}, {bias.tensor, loc}, Scalar(eps)), x.dtype, loc);
    });
  });
  module.def("_dropout_mask", [](const TypedTensor& x, Number keep) {
    const Loc loc = grad_enabled() ? python_line() : Loc{};
    return computed([&] { return tagged(dropout_mask({x.tensor, loc}, Scalar(keep)), x.dtype, loc); });
  });
  module.def("_embedding", [](const TypedTensor& table, const TypedTensor& ids) {
    check<Error>(category(ids.dtype) == 1, "embedding: ids are whole numbers, and not ", type_name(ids.dtype));
    const Arg rows = arg_of(table);
    return computed([&] { return TypedTensor{embedding(rows, {ids.tensor, rows.loc}), table.dtype}; });
  });
  // Classes are the last dimension.
  module.def("_cross_entropy",
      [](const TypedTensor& logits, const TypedTensor& targets, int64_t ignore_index, Number label_smoothing) {
        check_floating("cross_entropy", logits);
        check<Error>(targets.dtype == Dtype::int64, "cross_entropy: expected targets of type Long but found ",
            type_name(targets.dtype));
        const Arg x = arg_of(logits);
        return computed([&] {
          return TypedTensor{cross_entropy(x, {targets.tensor, x.loc}, ignore_index, Scalar(label_smoothing))};
        });
      });
  // Overwrites w, m and v; see nn/adamw.hpp.
  module.def("_adamw",
      [](const TypedTensor& w, const TypedTensor& g, const TypedTensor& m, const TypedTensor& v, double lr,
          double beta1, double beta2, double eps, double weight_decay, int64_t t) {
        for (const Tensor& x : {g.tensor, m.tensor, v.tensor})
          check<ShapeError>(
              x.shape() == w.tensor.shape(), "adamw: a gradient or moment of ", x.shape(), " for ", w.tensor.shape());
        computed([&] {
          kernels::table().adamw(w.tensor.numel(), {lr, beta1, beta2, eps, weight_decay, t}, g.tensor.data(),
              w.tensor.data(), m.tensor.data(), v.tensor.data());
          w.tensor.increment_version();
        });
        if (w.view) write_in_place("adamw", w, w.tensor.off_tape());
      });
}

}
