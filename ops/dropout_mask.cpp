#include "ops/dropout_mask.hpp"

#include "core/check.hpp"
#include "core/tape/record.hpp"
#include "core/tensor/random.hpp"

namespace stepgrad {

static Tensor drawn(Inputs, const Attributes& of);

// M = U < keep, U uniform in [0, 1)      M: X's shape
// A display-only node: a draw has no inputs and no gradient.
struct DropoutMaskNode final : Node {
  static constexpr Formula formula{"dropout_mask", "M = rand < keep", "", drawn};
  DropoutMaskNode() : Node(formula) { wants_grad = false; }
  void backward(Tensor) override {}
  Attributes attributes() const override {
    const auto number = [](auto x) { return double(x); };
    return {{"keep", {keep}}, {"shape", {shape.begin(), shape.end()}},
        {"seed", {number(draw.seed >> 32), number(draw.seed & 0xFFFFFFFF)}},  // exact
        {"call", {number(draw.call)}}, {"first_row", {number(draw.first_row)}}, {"rows", {number(draw.rows)}}};
  }
  Scalar keep = 1;
  kernels::Draw draw{};
};

Tensor dropout_mask(Arg x, Scalar keep) {
  check_operands("dropout_mask", x);
  check<ValueError>(keep > 0 && keep <= 1, "dropout_mask: keep_prob ", keep, " is not in (0, 1]");
  const kernels::Draw draw = next_draw(x.shape());
  const Tensor mask = Tensor::empty(x.shape());
  kernels::table().dropout_mask(draw, keep, mask.data());
  auto node = record_constant<DropoutMaskNode>(x.loc);
  if (node) node->keep = keep, node->draw = draw;
  return on_tape(mask, std::move(node));
}

// The mask with this counter, whatever was drawn since.
static Tensor drawn(Inputs, const Attributes& of) {
  const std::vector<double>&sizes = of.all("shape"), &seed = of.all("seed");
  const Shape shape(std::vector<int64_t>(sizes.begin(), sizes.end()));
  const Draws draws{{uint64_t(seed.at(0)) << 32 | uint64_t(seed.at(1)), uint64_t(of("call")), int64_t(of("first_row")),
      int64_t(of("rows"))}};
  const RepeatDraws repeat(draws);
  return dropout_mask(Tensor::empty(shape), Scalar(of("keep")));
}

}
