// Smooth functions of each element that the engine has no op for: each is a line of a table.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/tape/record.hpp"
#include "demos/notebook/binding/tensor.hpp"
#include "ops/ops.hpp"

namespace stepgrad::python {
namespace {

struct Smooth {
  Formula formula;
  Scalar (*f)(Scalar);
  Scalar (*derivative)(Scalar);
};

// Y = f(X)
// dX = dY∘f'(X)
struct SmoothBackward final : Node {
  explicit SmoothBackward(const Smooth* of) : Node(of->formula), derivative(of->derivative) {}
  void backward(Tensor dY) override {
    std::transform(dY.data(), dY.data() + dY.numel(), X.data(), dY.data(),
                   [this](Scalar dy, Scalar x) { return dy * derivative(x); });
    x.add_grad(std::move(dY));  // dX = dY∘f'(X)
  }
  Scalar (*derivative)(Scalar);
  Input x{this};
  Saved X{this, "X", &x};
};

constexpr Scalar ln2 = std::numbers::ln2_v<Scalar>, ln10 = std::numbers::ln10_v<Scalar>;
constexpr Scalar inv_sqrtpi = std::numbers::inv_sqrtpi_v<Scalar>;
using std::sqrt;

#define STEPGRAD_OF(expression) [](Scalar x) -> Scalar { return expression; }
constexpr Smooth functions[] = {
    {{"sin", "Y = sin X", "dX = dY∘cos X"}, STEPGRAD_OF(std::sin(x)), STEPGRAD_OF(std::cos(x))},
    {{"cos", "Y = cos X", "dX = -dY∘sin X"}, STEPGRAD_OF(std::cos(x)), STEPGRAD_OF(-std::sin(x))},
    {{"tan", "Y = tan X", "dX = dY∘(1 + tan² X)"},
     STEPGRAD_OF(std::tan(x)),
     STEPGRAD_OF(1 + std::tan(x) * std::tan(x))},
    {{"asin", "Y = asin X", "dX = dY/√(1 - X²)"},
     STEPGRAD_OF(std::asin(x)),
     STEPGRAD_OF(1 / sqrt(1 - x * x))},
    {{"acos", "Y = acos X", "dX = -dY/√(1 - X²)"},
     STEPGRAD_OF(std::acos(x)),
     STEPGRAD_OF(-1 / sqrt(1 - x * x))},
    {{"atan", "Y = atan X", "dX = dY/(1 + X²)"},
     STEPGRAD_OF(std::atan(x)),
     STEPGRAD_OF(1 / (1 + x * x))},
    {{"sinh", "Y = sinh X", "dX = dY∘cosh X"},
     STEPGRAD_OF(std::sinh(x)),
     STEPGRAD_OF(std::cosh(x))},
    {{"cosh", "Y = cosh X", "dX = dY∘sinh X"},
     STEPGRAD_OF(std::cosh(x)),
     STEPGRAD_OF(std::sinh(x))},
    {{"asinh", "Y = asinh X", "dX = dY/√(X² + 1)"},
     STEPGRAD_OF(std::asinh(x)),
     STEPGRAD_OF(1 / sqrt(x * x + 1))},
    {{"acosh", "Y = acosh X", "dX = dY/√(X² - 1)"},
     STEPGRAD_OF(std::acosh(x)),
     STEPGRAD_OF(1 / sqrt(x * x - 1))},
    {{"atanh", "Y = atanh X", "dX = dY/(1 - X²)"},
     STEPGRAD_OF(std::atanh(x)),
     STEPGRAD_OF(1 / (1 - x * x))},
    {{"log2", "Y = log₂ X", "dX = dY/(X ln 2)"},
     STEPGRAD_OF(std::log2(x)),
     STEPGRAD_OF(1 / (x * ln2))},
    {{"log10", "Y = log₁₀ X", "dX = dY/(X ln 10)"},
     STEPGRAD_OF(std::log10(x)),
     STEPGRAD_OF(1 / (x * ln10))},
    {{"log1p", "Y = log(1 + X)", "dX = dY/(1 + X)"},
     STEPGRAD_OF(std::log1p(x)),
     STEPGRAD_OF(1 / (1 + x))},
    {{"exp2", "Y = 2^X", "dX = dY∘2^X ln 2"},
     STEPGRAD_OF(std::exp2(x)),
     STEPGRAD_OF(std::exp2(x) * ln2)},
    {{"expm1", "Y = e^X - 1", "dX = dY∘e^X"}, STEPGRAD_OF(std::expm1(x)), STEPGRAD_OF(std::exp(x))},
    {{"erfc", "Y = 1 - erf X", "dX = -dY∘2/√π e^(-X²)"},
     STEPGRAD_OF(std::erfc(x)),
     STEPGRAD_OF(-2 * inv_sqrtpi * std::exp(-x * x))},
};
#undef STEPGRAD_OF

Tensor smooth(const Smooth& of, Arg x) {
  const Tensor* const operands[] = {&x.tensor};
  auto node = record<SmoothBackward>(operands, x.loc, &of);
  if (node) node->X = x.tensor;
  const Tensor y = Tensor::empty(x.shape());
  std::transform(x.data(), x.data() + x.numel(), y.data(), of.f);
  return on_tape(y, std::move(node)).set_kind(Kind::floating);
}

TypedTensor apply(const Smooth& of, const TypedTensor& x) {
  const Loc loc = line_if_recorded(x.tensor);
  const Dtype dtype = is_floating(x.dtype) ? x.dtype : Dtype::float32;
  return computed([&] { return tagged(smooth(of, {x.tensor, loc}), dtype, loc); });
}

}  // namespace

void bind_elementwise(Class& tensor) {
  for (const Smooth& of : functions) {
    tensor.def(of.formula.op, [&of](const TypedTensor& x) { return apply(of, x); });
    tensor.def((std::string(of.formula.op) + "_").c_str(),
               [&of](TypedTensor& x) -> TypedTensor& {
                 write_in_place(of.formula.op, x,
                                apply(of, before_in_place(of.formula.op, x)).tensor);
                 return x;
               },
               py::return_value_policy::reference);
  }
}

}  // namespace stepgrad::python
