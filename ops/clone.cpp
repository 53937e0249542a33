#include "ops/clone.hpp"

#include "core/tape/record.hpp"

namespace stepgrad {

// Y = X      dX = dY
struct CloneBackward final : Node {
  static constexpr Formula formula{"clone", "Y = X", "dX = dY", of_each<clone>(), Traits{.moves = true}};
  CloneBackward() : Node(formula) {}
  void backward(Tensor dY) override { x.add_grad(std::move(dY)); }  // dX = dY
  Input x{this};
};

Tensor clone(Arg x) {
  auto node = record<CloneBackward>(x);
  return on_tape(x.tensor.copied(), std::move(node));
}

}
