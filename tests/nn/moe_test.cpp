#include "nn/nn.hpp"
#include "tests/support/test.hpp"

using namespace stepgrad;

TEST_CASE("A dense mixture is the sum of its experts by their gates, which add up to 1") {
  nn::MoEFeedForward moe(4, 8, 3, 0);
  const Tensor x = Tensor::randn({2, 5, 4});
  const NoGrad no_grad;
  const Tensors first = moe.experts[0].parameters();
  for (const nn::FeedForward& expert : moe.experts) {
    for (size_t i = 0; i < first.size(); ++i) expert.parameters()[i].copy_(first[i]);
  }
  CHECK_THAT(moe(x).to_vector(), near(moe.experts[0](x).to_vector()));
}

TEST_CASE("A sparse mixture that asks all of its experts is a dense one") {
  manual_seed(1);
  nn::MoEFeedForward dense(4, 8, 3, 0);
  manual_seed(1);
  nn::SparseMoEFeedForward sparse(4, 8, 3, 3, 0);
  const Tensor x = Tensor::randn({2, 5, 4});
  CHECK_THAT(sparse(x).output.to_vector(), near(dense(x).to_vector()));
  CHECK_THAT(sparse(x).usage.to_vector(), near({1 / Scalar(3), 1 / Scalar(3), 1 / Scalar(3)}));
}

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

TEST_CASE("With one expert per position, the gate still learns from its choice") {
  nn::SparseMoEFeedForward moe(4, 8, 4, 1);
  moe(Tensor::randn({6, 4})).output.sum().backward();
  CHECK(sum(moe.gate.weight.grad().eq(0)).item() < 16);
}

TEST_CASE("The balance loss is 1 for even use and the number of experts for the worst") {
  nn::SparseMoEFeedForward moe(4, 8, 4, 1);
  const NoGrad no_grad;
  moe.gate.weight.fill_(0);
  moe.gate.bias.copy_(Tensor::of({0, 0, 100, 0}));
  CHECK(moe(Tensor::randn({6, 4})).balance_loss.item() == Approx(4));
  moe.gate.bias.fill_(0);
  CHECK(moe(Tensor::randn({6, 4})).balance_loss.item() == Approx(1));
}

TEST_CASE("The balance loss makes the experts' use more even") {
  manual_seed(3);
  nn::SparseMoEFeedForward moe(4, 8, 4, 1, 0);
  {
    const NoGrad no_grad;
    moe.gate.bias.copy_(Tensor::of({2, 0, 0, 0}));
  }
  const Tensor x = Tensor::randn({64, 4});
  nn::SGD optimizer(moe.parameters(), Scalar(0.5));
  const Scalar before = moe(x).balance_loss.item();
  for (int step = 0; step < 50; ++step) {
    optimizer.zero_grad();
    moe(x).balance_loss.backward();
    optimizer.step();
  }
  CHECK(before > 1.5);
  CHECK(moe(x).balance_loss.item() < 1.1);
}

TEST_CASE("More experts than there are cannot be asked, nor fewer than one") {
  CHECK_ERROR(ValueError, nn::SparseMoEFeedForward(4, 8, 3, 4),
              "SparseMoEFeedForward: k = 4 is not in [1, 3]");
  CHECK_THROWS_AS(nn::SparseMoEFeedForward(4, 8, 3, 0), ValueError);
  CHECK_THROWS_AS(nn::MoEFeedForward(4, 8, 0), ValueError);
  CHECK_THROWS_AS(nn::SparseMoEFeedForward(4, 8)(Tensor::ones({2, 3})), ShapeError);
}

TEST_CASE("No positions use no experts, and their balance loss is finite") {
  nn::SparseMoEFeedForward moe(4, 8);
  const auto result = moe(Tensor::ones({0, 4}));
  CHECK(result.output.shape() == Shape{0, 4});
  CHECK(result.balance_loss.item() == 0);
  CHECK(result.usage.at(0) == 0);
}
