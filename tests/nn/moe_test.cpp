#include "nn/nn.hpp"
#include "tests/support/test.hpp"

TEST_CASE("An expert that no token chose does not run and gets no gradient, but the gate does") {
  for (const int64_t k : {1, 2}) {
    nn::SparseMoEFeedForward moe(4, 8, 4, k);
    {
      const NoGrad no_grad;
      moe.gate.bias.copy_(Tensor::of({0, 50, 0, 25}));  // always 1, and 3 next
    }
    const auto [output, balance_loss, usage] = moe(Tensor::randn({6, 4}));
    output.sum().backward();
    CHECK_FALSE(moe.experts[0].w_1.weight.grad().defined());
    CHECK(moe.experts[1].w_1.weight.grad().defined());
    CHECK(moe.experts[3].w_1.weight.grad().defined() == (k == 2));
    CHECK(moe.gate.weight.grad().defined());
    CHECK(usage.at(1) == 1 / Scalar(k));
    CHECK(usage.at(0) == 0);
  }
}

TEST_CASE("More experts than there are cannot be asked, nor fewer than one") {
  CHECK_ERROR(ValueError, nn::SparseMoEFeedForward(4, 8, 3, 4), "SparseMoEFeedForward: k = 4 is not in [1, 3]");
  CHECK_THROWS_AS(nn::SparseMoEFeedForward(4, 8, 3, 0), ValueError);
}

TEST_CASE("No positions use no experts, and their balance loss is finite") {
  nn::SparseMoEFeedForward moe(4, 8);
  const auto result = moe(Tensor::ones({0, 4}));
  CHECK(result.output.shape() == Shape{0, 4});
  CHECK(result.balance_loss.item() == 0);
  CHECK(result.usage.at(0) == 0);
}
