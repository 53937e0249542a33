#include "ops/erf.hpp"

#include <numbers>

#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"
#include "ops/exp.hpp"
#include "ops/mul.hpp"
#include "ops/neg.hpp"

namespace stepgrad {

// Y = erf(X)
// dX = dY∘exp(-X²)·2/√π
struct ErfBackward final : Node {
  static constexpr Formula formula{"erf", "Y = erf(X)", "dX = dY∘exp(-X²)·2/√π", of_each<erf>(), Kind::floating};
  ErfBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    const Tensor slope = exp(-(X * X)) * std::numbers::inv_sqrtpi * 2;
    x.add_grad(std::move(dY) * slope);  // dX = dY∘exp(-X²)·2/√π
  }
  Input x{this};
  Saved X{this, "X", &x};
};

Tensor erf(Arg x) {
  auto node = record<ErfBackward>(x);
  if (node) node->X = x.tensor;
  return on_tape(elementwise(kernels::table().erf, x), std::move(node));
}

}
