// Functions of each element without a kernel of their own. One line each: its formula, its
// gradient, and the code of both.
#include "ops/functions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/tape/record.hpp"
#include "ops/add.hpp"
#include "ops/compare.hpp"
#include "ops/div.hpp"
#include "ops/exp.hpp"
#include "ops/masked_fill.hpp"
#include "ops/mul.hpp"
#include "ops/neg.hpp"
#include "ops/sigmoid.hpp"
#include "ops/sqrt.hpp"
#include "ops/sub.hpp"
#include "ops/trunc.hpp"
#include "ops/where.hpp"

namespace stepgrad {

// Y = f(X)
// dX = dY∘f'(X), made of ops: from X, or from Y if that is simpler
struct FromX : Node {
  using Node::Node;
  void save(const Tensor& x, const Tensor&) { X = x; }
  Input x{this};
  Saved X{this, "X", &x};
};
struct FromY : Node {
  using Node::Node;
  void save(const Tensor&, const Tensor& y) { Y = y; }
  Input x{this};
  Saved Y{this, "Y"};
};
struct FromXAndTwo : FromX {
  FromXAndTwo(const Formula& of, Scalar a, Scalar b) : FromX(of), a(a), b(b) {}
  Attributes attributes() const override { return {{"a", {a}}, {"b", {b}}}; }
  const Scalar a, b;
};

template <class N, class... Two>
static Tensor each(const Arg& x, auto f, Two... ab) {
  check_operands(N::formula.op, x);
  const Tensor* const operands[] = {&x.tensor};
  auto node = record<N>(operands, x.loc, ab...);
  const Tensor y = Tensor::empty(x.shape());
  std::transform(x.data(), x.data() + x.numel(), y.data(), f);
  if (node) node->save(x.tensor, y);
  return on_tape(y, std::move(node));
}

// 0 with a history: a piecewise constant slope has the derivative 0, not none.
static Tensor flat(const Tensor& X) { return masked_fill(X, Tensor::ones({}), 0); }

constexpr Scalar ln2 = std::numbers::ln2_v<Scalar>, ln10 = std::numbers::ln10_v<Scalar>;
constexpr Scalar inv_sqrtpi = std::numbers::inv_sqrtpi_v<Scalar>;

#define EACH(op, Op, from, forward, gradient, y, dX)                                         \
  struct Op##Backward final : From##from {                                                   \
    static constexpr Formula formula{#op, forward, gradient, of_each<op>(), Kind::floating}; \
    Op##Backward() : From##from(formula) {}                                                  \
    void backward(Tensor dY) override { x.add_grad(dX); }                                    \
  };                                                                                         \
  Tensor op(Arg X) {                                                                         \
    return each<Op##Backward>(X, [](Scalar x) -> Scalar { return y; });                      \
  }

// clang-format off
EACH(sin, Sin, X, "Y = sin X", "dX = dY∘cos X", std::sin(x), dY * cos(X))
EACH(cos, Cos, X, "Y = cos X", "dX = -dY∘sin X", std::cos(x), -dY * sin(X))
EACH(tan, Tan, Y, "Y = tan X", "dX = dY∘(1 + Y²)", std::tan(x), dY * (1 + Y * Y))
EACH(asin, Asin, X, "Y = asin X", "dX = dY/√(1 - X²)", std::asin(x), dY / sqrt(1 - X * X))
EACH(acos, Acos, X, "Y = acos X", "dX = -dY/√(1 - X²)", std::acos(x), -dY / sqrt(1 - X * X))
EACH(atan, Atan, X, "Y = atan X", "dX = dY/(1 + X²)", std::atan(x), dY / (1 + X * X))
EACH(sinh, Sinh, X, "Y = sinh X", "dX = dY∘cosh X", std::sinh(x), dY * cosh(X))
EACH(cosh, Cosh, X, "Y = cosh X", "dX = dY∘sinh X", std::cosh(x), dY * sinh(X))
EACH(asinh, Asinh, X, "Y = asinh X", "dX = dY/√(X² + 1)", std::asinh(x), dY / sqrt(X * X + 1))
EACH(acosh, Acosh, X, "Y = acosh X", "dX = dY/√(X² - 1)", std::acosh(x), dY / sqrt(X * X - 1))
EACH(atanh, Atanh, X, "Y = atanh X", "dX = dY/(1 - X²)", std::atanh(x), dY / (1 - X * X))
EACH(log2, Log2, X, "Y = log₂ X", "dX = dY/(X ln 2)", std::log2(x), dY / (X * ln2))
EACH(log10, Log10, X, "Y = log₁₀ X", "dX = dY/(X ln 10)", std::log10(x), dY / (X * ln10))
EACH(log1p, Log1p, X, "Y = log(1 + X)", "dX = dY/(1 + X)", std::log1p(x), dY / (1 + X))
EACH(exp2, Exp2, Y, "Y = 2^X", "dX = dY∘Y ln 2", std::exp2(x), dY * Y * ln2)
EACH(expm1, Expm1, Y, "Y = e^X - 1", "dX = dY∘(Y + 1)", std::expm1(x), dY * (Y + 1))
EACH(erfc, Erfc, X, "Y = 1 - erf X", "dX = -dY∘2/√π e^(-X²)", std::erfc(x),
     dY * exp(-(X * X)) * (-2 * inv_sqrtpi))
// clang-format on

#define EACH_OF_TWO(op, Op, forward, gradient, pieces, y, dX)                                                       \
  Tensor op(Arg X, Scalar a, Scalar b);                                                                             \
  struct Op##Backward final : FromXAndTwo {                                                                         \
    static Tensor recomputed(Inputs x, const Attributes& of) { return op(x[0], of("a"), of("b")); }                 \
    static constexpr Formula formula{#op, forward, gradient, of_each(&recomputed), Kind::floating, Traits{pieces}}; \
    Op##Backward(Scalar a, Scalar b) : FromXAndTwo(formula, a, b) {}                                                \
    void backward(Tensor dY) override { x.add_grad(dX); }                                                           \
  };                                                                                                                \
  Tensor op(Arg X, Scalar a, Scalar b) {                                                                            \
    return each<Op##Backward>(                                                                                      \
        X, [=](Scalar x) -> Scalar { return y; }, a, b);                                                            \
  }

// clang-format off
// Piecewise, with PyTorch's slopes at the bounds, and at NaN those that it has in whole vectors.
EACH_OF_TWO(leaky_relu, LeakyRelu, "Y = X where X > 0, else a·X",
            "dX = dY where X > 0, else a·dY", "X > 0",
            x > 0 ? x : a * x, dY * (where(gt(X, 0), 1, a) + flat(X)))
EACH_OF_TWO(hardtanh, Hardtanh, "Y = min(max(X, a), b)", "dX = dY where a < X < b, else 0",
            "X > a, X < b",
            std::min(std::max(x, a), b), masked_fill(dY, eq(gt(X, a) * lt(X, b), 0), 0) + flat(X))
EACH_OF_TWO(elu, Elu, "Y = X where X > 0, else a·(e^X - 1)",
            "dX = dY where X > 0, else dY∘a·e^X", "X > 0",
            x > 0 ? x : a * std::expm1(x),
            dY * where(gt(X, 0), 1, exp(masked_fill(X, ge(X, 0), 0)) * a))
EACH_OF_TWO(softplus, Softplus, "Y = log(1 + e^(a·X))/a, or X where a·X > b",
            "dX = dY∘sigmoid(a·X), or dY where a·X > b", "",
            a * x > b ? x : std::log1p(std::exp(a * x)) / a,
            dY * where(gt(X * a, b), 1, sigmoid(masked_fill(X * a, ge(X * a, b), b))))
// clang-format on
#undef EACH
#undef EACH_OF_TWO

Tensor leaky_relu(Arg x, Scalar negative_slope) { return leaky_relu(x, negative_slope, 0); }
Tensor elu(Arg x, Scalar alpha) { return elu(x, alpha, 0); }

Tensor floor(Arg x) {
  const OpCall call(x);
  const Tensor whole = trunc(x);
  return where(gt(whole, x), whole - 1, whole);
}
Tensor ceil(Arg x) {
  const OpCall call(x);
  const Tensor whole = trunc(x);
  return where(lt(whole, x), whole + 1, whole);
}
Tensor sign(Arg x) {
  const OpCall call(x);
  return gt(x, 0) - lt(x, 0);
}

}
