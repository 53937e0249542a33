// Elementwise functions.
#include <algorithm>

#include "core/check.hpp"
#include "demos/python/binding/tensor.hpp"
#include "ops/ops.hpp"

namespace stepgrad::python {
namespace {

using Unary = Tensor (*)(Arg);

// A step function: recorded, with gradient 0.
template <Tensor (*step)(Arg)>
Tensor flat(Arg x) {
  Tensor y = step(x);
  if (!grad_enabled() || !x.tensor.requires_grad()) return y;
  return sub(y, masked_fill(x, Tensor::ones(x.shape()), 0));  // -0 - 0 is -0
}

// A function that turns integers into floats (exp), or keeps them (relu).
TypedTensor apply(Unary f, const TypedTensor& x, bool floats) {
  check<Error>(floats || x.dtype != Dtype::boolean || f == &flat<sign>, "not implemented for 'Bool'");
  const Dtype dtype = floats && !is_floating(x.dtype) ? Dtype::float32 : x.dtype;
  return recorded(x, dtype, [f](Arg a) {
    const OpCall call(a.loc);
    return f(a);
  });
}

Tensor square(Arg x) { return mul(x, x); }
Tensor rsqrt(Arg x) { return div({Scalar(1), x.loc}, sqrt(x)); }

Tensor isnan_(Arg x) { return ne(x, x); }
Tensor isinf_(Arg x) { return eq(x, infinity) + eq(x, -infinity); }
Tensor isfinite_(Arg x) { return lt(x, infinity) * gt(x, -infinity); }
Tensor logical_not(Arg x) { return eq(x, 0); }

// x if it is NaN or `holds(x, bound)`, else the bound. The chosen one gets the gradient, or neither
// for a NaN.
TypedTensor bounded(const TypedTensor& x, const py::object& bound, Dtype dtype, Tensor (*holds)(Arg, Arg)) {
  if (bound.is_none()) return x;
  Operand limit(bound);
  limit.tensor = operand_in(limit, dtype, line_of(limit));
  limit.dtype = dtype;
  const Tensor within = maximum(holds(x.tensor, limit.tensor), ne(x.tensor, x.tensor));
  const TypedTensor y = where_of({within, Dtype::boolean}, Operand(x), limit);
  const Tensor values = detach(y.tensor), nan = ne(values, values);
  if (std::none_of(nan.data(), nan.data() + nan.numel(), [](Scalar v) { return v != 0; })) return y;
  return where_of({nan, Dtype::boolean}, Operand(TypedTensor{values, y.dtype}), Operand(y));
}

TypedTensor clamped(const TypedTensor& x, const py::object& min, const py::object& max) {
  check<Error>(!min.is_none() || !max.is_none(), "clamp: at least one of min and max is wanted");
  const Operand self(x);
  const Operand bound(min.is_none() ? max : min), other(max.is_none() ? min : max);
  const Dtype dtype = result_type({&self, &bound, &other});
  check<Error>(dtype != Dtype::boolean, "clamp: not implemented for 'Bool'");
  check_fits(bound, dtype), check_fits(other, dtype);
  const bool numbers = bound.number && other.number;
  if (bound.number != other.number && (bound.number ? other : bound).tensor.shape().dims() > 0)
    throw py::type_error("clamp(): min and max must both be numbers or both be tensors");
  const auto limit = [dtype](const Operand& x) { return element({x.value, x.dtype}, dtype); };
  const Scalar low = numbers && !min.is_none() ? limit(bound) : -infinity;
  const Scalar high = numbers && !max.is_none() ? limit(other) : infinity;
  const Arg arg = arg_of(x);
  if (!numbers || !(low <= high)) {  // tensors, crossed bounds or a NaN
    const TypedTensor same{operand_in(x, dtype, arg.loc), dtype};
    const TypedTensor y = bounded(bounded(same, min, dtype, &ge), max, dtype, &le);
    if (!numbers) show_as(y, "ClampByBackward0", {&x, tensor_of(min), tensor_of(max)});
    return y;
  }
  return computed([&] { return tagged(clamp(arg, low, high), dtype, arg.loc); });
}

}

void bind_functions(py::module_& module, Class& tensor) {
  const auto define = [&](const char* name, Unary f, bool floats) {
    tensor.def(name, [=](const TypedTensor& x) { return apply(f, x, floats); });
  };
  define("rsqrt", &rsqrt, true);
  tensor.def("square", [](const TypedTensor& x) {
    return apply(&square, x.dtype == Dtype::boolean ? to_dtype(x, Dtype::int64, {}) : x, false);
  });
  define("floor", &flat<floor>, false);
  define("ceil", &flat<ceil>, false);
  define("round", &flat<round>, false);
  define("trunc", &flat<trunc>, false);
  define("sign", &flat<sign>, false);
  for (const auto& [name, f] : std::initializer_list<std::pair<const char*, Unary>>{
           {"isnan", &isnan_}, {"isinf", &isinf_}, {"isfinite", &isfinite_}, {"logical_not", &logical_not}})
    tensor.def(name, [f = f](const TypedTensor& x) {
      const Arg arg = arg_of(x);
      const OpCall call(arg.loc);
      return TypedTensor{f(arg), Dtype::boolean};
    });
  for (const auto& [name, f] : std::initializer_list<std::pair<const char*, Tensor (*)(Arg, Scalar, Scalar)>>{
           {"_leaky_relu", [](Arg x, Scalar a, Scalar) { return leaky_relu(x, a); }}, {"_hardtanh", &hardtanh},
           {"_elu", [](Arg x, Scalar a, Scalar) { return elu(x, a); }}, {"_softplus", &softplus}})
    module.def(
        name,
        [f = f](const TypedTensor& x, Number a, Number b) {
          const bool whole = f == &hardtanh && x.dtype != Dtype::boolean;
          check<Error>(whole || is_floating(x.dtype), "not implemented for whole numbers");
          const Dtype dtype = x.dtype;
          const Scalar first = element(a, dtype), second = element(b, dtype);
          return recorded(x, dtype, [=](Arg x) { return f(x, first, second); });
        },
        "x"_a, "a"_a, "b"_a = 0);

  tensor.def("clamp", &clamped, "min"_a = py::none(), "max"_a = py::none());
}

void bind_ops_of_each(py::module_& module, Class& tensor) {
  py::list names;
  for (const Formula* formula : all_formulas()) {
    Tensor (*op)(Arg) = formula->recompute.op;
    if (!op || formula->traits.rounds || py::hasattr(tensor, formula->op)) continue;
    const bool floats = formula->of_integers == Kind::floating;
    tensor.def(formula->op, [=](const TypedTensor& x) { return apply(op, x, floats); });
    names.append(formula->op);
  }
  module.attr("_ops_of_each_element") = names;
}

}
