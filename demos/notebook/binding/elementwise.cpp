// Elementwise functions without an op in the engine, one line of a table each.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "core/tape/record.hpp"
#include "demos/notebook/binding/tensor.hpp"
#include "ops/ops.hpp"

namespace stepgrad::python {
namespace {

// f(x, a, b) and its derivative, made of ops and itself differentiable: from X, or from Y = f(X) if
// that is simpler. a and b are further arguments, if any.
struct Smooth {
  Formula formula;
  Scalar (*f)(Scalar x, Scalar a, Scalar b);
  Tensor (*derivative)(const Tensor& X_or_Y, Scalar a, Scalar b);
  bool needs_y = false;  // and not X
};

// Y = f(X)
// dX = dY∘f'(X)
struct SmoothBackward final : Node {
  SmoothBackward(const Smooth* of, Scalar a, Scalar b) : Node(of->formula), of(of), a(a), b(b) {}
  void backward(Tensor dY) override {
    x.add_grad(std::move(dY) * of->derivative(of->needs_y ? Y : X, a, b));  // dX = dY∘f'(X)
  }
  bool has_second_gradient() const override { return true; }
  Tensor recompute(Inputs x) const override;
  Attributes attributes() const override { return {{"a", {a}}, {"b", {b}}}; }
  Input x{this};
  Saved X{this, "X", &x}, Y{this, "Y"};  // one of them
  const Smooth* of;
  const Scalar a, b;
};

Tensor smooth(const Smooth& of, Arg x, Scalar a = 0, Scalar b = 0) {
  const Tensor* const operands[] = {&x.tensor};
  auto node = record<SmoothBackward>(operands, x.loc, &of, a, b);
  const Tensor y = Tensor::empty(x.shape());
  std::transform(x.data(), x.data() + x.numel(), y.data(), [&](Scalar v) { return of.f(v, a, b); });
  if (node) (of.needs_y ? node->Y : node->X) = of.needs_y ? y : x.tensor;
  return on_tape(y, std::move(node)).set_kind(Kind::floating);
}

Tensor SmoothBackward::recompute(Inputs x) const { return smooth(*of, x[0], a, b); }

Tensor of(const char* name, const Tensor& X);

// 0 with a history: a piecewise constant slope has the derivative 0, not None.
Tensor flat(const Tensor& X) { return masked_fill(X, Tensor::ones({}), 0); }

constexpr Scalar ln2 = std::numbers::ln2_v<Scalar>, ln10 = std::numbers::ln10_v<Scalar>;
constexpr Scalar inv_sqrtpi = std::numbers::inv_sqrtpi_v<Scalar>;

#define STEPGRAD_F(expression)                                                   \
  [](Scalar x, [[maybe_unused]] Scalar a, [[maybe_unused]] Scalar b) -> Scalar { \
    return expression;                                                           \
  }
#define STEPGRAD_D(expression)                                                          \
  [](const Tensor& X, [[maybe_unused]] Scalar a, [[maybe_unused]] Scalar b) -> Tensor { \
    return expression;                                                                  \
  }
#define STEPGRAD_D_BY_Y(expression) \
  [](const Tensor& Y, Scalar, Scalar) -> Tensor { return expression; }, true
// clang-format off
constexpr Smooth functions[] = {
    {{"sin", "Y = sin X", "dX = dY∘cos X"}, STEPGRAD_F(std::sin(x)), STEPGRAD_D(of("cos", X))},
    {{"cos", "Y = cos X", "dX = -dY∘sin X"}, STEPGRAD_F(std::cos(x)), STEPGRAD_D(-of("sin", X))},
    {{"tan", "Y = tan X", "dX = dY∘(1 + Y²)"},
     STEPGRAD_F(std::tan(x)), STEPGRAD_D_BY_Y(1 + Y * Y)},
    {{"asin", "Y = asin X", "dX = dY/√(1 - X²)"},
     STEPGRAD_F(std::asin(x)), STEPGRAD_D(1 / sqrt(1 - X * X))},
    {{"acos", "Y = acos X", "dX = -dY/√(1 - X²)"},
     STEPGRAD_F(std::acos(x)), STEPGRAD_D(-1 / sqrt(1 - X * X))},
    {{"atan", "Y = atan X", "dX = dY/(1 + X²)"},
     STEPGRAD_F(std::atan(x)), STEPGRAD_D(1 / (1 + X * X))},
    {{"sinh", "Y = sinh X", "dX = dY∘cosh X"}, STEPGRAD_F(std::sinh(x)), STEPGRAD_D(of("cosh", X))},
    {{"cosh", "Y = cosh X", "dX = dY∘sinh X"}, STEPGRAD_F(std::cosh(x)), STEPGRAD_D(of("sinh", X))},
    {{"asinh", "Y = asinh X", "dX = dY/√(X² + 1)"},
     STEPGRAD_F(std::asinh(x)), STEPGRAD_D(1 / sqrt(X * X + 1))},
    {{"acosh", "Y = acosh X", "dX = dY/√(X² - 1)"},
     STEPGRAD_F(std::acosh(x)), STEPGRAD_D(1 / sqrt(X * X - 1))},
    {{"atanh", "Y = atanh X", "dX = dY/(1 - X²)"},
     STEPGRAD_F(std::atanh(x)), STEPGRAD_D(1 / (1 - X * X))},
    {{"log2", "Y = log₂ X", "dX = dY/(X ln 2)"},
     STEPGRAD_F(std::log2(x)), STEPGRAD_D(1 / (X * ln2))},
    {{"log10", "Y = log₁₀ X", "dX = dY/(X ln 10)"},
     STEPGRAD_F(std::log10(x)), STEPGRAD_D(1 / (X * ln10))},
    {{"log1p", "Y = log(1 + X)", "dX = dY/(1 + X)"},
     STEPGRAD_F(std::log1p(x)), STEPGRAD_D(1 / (1 + X))},
    {{"exp2", "Y = 2^X", "dX = dY∘Y ln 2"},
     STEPGRAD_F(std::exp2(x)), STEPGRAD_D_BY_Y(Y * ln2)},
    {{"expm1", "Y = e^X - 1", "dX = dY∘(Y + 1)"}, STEPGRAD_F(std::expm1(x)), STEPGRAD_D_BY_Y(Y + 1)},
    {{"erfc", "Y = 1 - erf X", "dX = -dY∘2/√π e^(-X²)"},
     STEPGRAD_F(std::erfc(x)), STEPGRAD_D(exp(-(X * X)) * (-2 * inv_sqrtpi))},
};
// Functions with further arguments: piecewise, with torch's slopes at the bounds.
constexpr Smooth pieces[] = {
    {{"leaky_relu", "Y = X where X > 0, else aX", "dX = dY where X > 0, else a dY"},
     STEPGRAD_F(x > 0 ? x : a * x), STEPGRAD_D(where(gt(X, 0), 1, a) + flat(X))},
    {{"hardtanh", "Y = min(max(X, a), b)", "dX = dY where a < X < b, else 0"},
     STEPGRAD_F(x < a ? a : x > b ? b : x), STEPGRAD_D(gt(X, a) * lt(X, b) + flat(X))},
    {{"elu", "Y = X where X > 0, else a(e^X - 1)", "dX = dY where X > 0, else dY∘a e^X"},
     STEPGRAD_F(x > 0 ? x : a * std::expm1(x)),
     STEPGRAD_D(where(gt(X, 0), 1, exp(masked_fill(X, ge(X, 0), 0)) * a))},
    {{"softplus", "Y = log(1 + e^aX)/a, or X where aX > b", "dX = dY∘sigmoid(aX), or dY"},
     STEPGRAD_F(a * x > b ? x : std::log1p(std::exp(a * x)) / a), STEPGRAD_D(where(gt(X * a, b), 1, sigmoid(masked_fill(X * a, ge(X * a, b), b))))},
};
// clang-format on
#undef STEPGRAD_F
#undef STEPGRAD_D
#undef STEPGRAD_D_BY_Y

Tensor of(const char* name, const Tensor& X) {
  return smooth(*std::find_if(std::begin(functions), std::end(functions),
                              [=](const Smooth& f) { return !std::strcmp(f.formula.op, name); }),
                X);
}

TypedTensor apply(const Smooth& of, const TypedTensor& x, Scalar a = 0, Scalar b = 0) {
  const Loc loc = line_if_recorded(x.tensor);
  const Dtype dtype = is_floating(x.dtype) ? x.dtype : Dtype::float32;
  return computed([&] { return tagged(smooth(of, {x.tensor, loc}, a, b), dtype, loc); });
}

}  // namespace

void bind_elementwise(py::module_& module, Class& tensor) {
  for (const Smooth& of : functions) {
    const auto call = [&of](const TypedTensor& x) { return apply(of, x); };
    tensor.def(of.formula.op, call);
    define_in_place(tensor, of.formula.op, call);
  }
  for (const Smooth& of : pieces) {
    module.def(("_" + std::string(of.formula.op)).c_str(),
               [&of](const TypedTensor& x, Number a, Number b) {
                 const Dtype dtype = is_floating(x.dtype) ? x.dtype : Dtype::float32;
                 return apply(of, x, element(a, dtype), element(b, dtype));
               },
               py::arg("x"), py::arg("a"), py::arg("b") = 0);
  }
}

}  // namespace stepgrad::python
