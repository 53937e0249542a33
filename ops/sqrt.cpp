#include "ops/sqrt.hpp"

#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"
#include "ops/div.hpp"
#include "ops/mul.hpp"

namespace stepgrad {

// Y = √X
// dX = dY/(2Y)
struct SqrtBackward final : Node {
  static constexpr Formula formula{"sqrt", "Y = √X", "dX = dY/(2Y)", of_each<sqrt>(), Kind::floating};
  SqrtBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    x.add_grad(std::move(dY) / (2 * Y));  // dX = dY/(2Y)
  }
  Input x{this};
  Saved Y{this, "Y"};
};

Tensor sqrt(Arg x) {
  auto node = record<SqrtBackward>(x);
  const Tensor y = elementwise(kernels::table().sqrt, x);
  if (node) node->Y = y;
  return on_tape(y, std::move(node));
}

}
