#include "ops/trunc.hpp"

#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"

namespace stepgrad {

// Y = X without its fraction
// A step has no gradient: its node is only there for set_detect_nan.
struct TruncNode final : Node {
  static constexpr Formula formula{
      "trunc", "Y = X without its fraction", "", of_each<trunc>(), Kind::integer, true};
  TruncNode() : Node(formula) {}
  void backward(Tensor) override {}
  Input x{this};
};

Tensor trunc(Arg x) {
  auto node = record<TruncNode>(Arg(x.tensor.detach(), x.loc));
  return on_tape(elementwise(kernels::table().trunc, x), std::move(node));
}

}  // namespace stepgrad
