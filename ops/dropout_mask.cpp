#include "ops/dropout_mask.hpp"

#include "core/check.hpp"
#include "core/tape/record.hpp"
#include "core/tensor/random.hpp"

namespace stepgrad {

// M = U < keep, U uniform in [0, 1)      M: X's shape
// A draw has no inputs and no gradient: its node is on the tape to be seen.
struct DropoutMaskNode final : Node {
  static constexpr Formula formula{"dropout_mask", "M = rand < keep", ""};
  DropoutMaskNode() : Node(formula) { wants_grad = false; }
  void backward(Tensor) override {}
};

Tensor dropout_mask(Arg x, Scalar keep) {
  check<ValueError>(keep > 0 && keep <= 1, "dropout_mask: keep_prob ", keep, " is not in (0, 1]");
  const Tensor mask = Tensor::empty(x.shape());
  kernels::table().dropout_mask(next_draw(x.shape()), keep, mask.data());
  return on_tape(mask, record_constant<DropoutMaskNode>(x.loc));
}

}  // namespace stepgrad
