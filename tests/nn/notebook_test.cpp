// ReLU, Dropout and PositionwiseFeedForward as the notebook describes them.
#include "nn/dropout.hpp"
#include "nn/positionwise_feed_forward.hpp"
#include "nn/relu.hpp"
#include "tests/support/test.hpp"

// ---- Dropout

TEST_CASE("Dropout in evaluation, or with p = 0, is the input itself") {
  const Tensor x = Tensor::ones({100});
  nn::Dropout half(Scalar(0.5)), never(0);
  CHECK(half.training);
  CHECK_FALSE(half(x).is(x));
  CHECK(half.eval()(x).is(x));
  CHECK_FALSE(half.train()(x).is(x));
  CHECK(half.p == Scalar(0.5));
  CHECK(never(x).is(x));
}

TEST_CASE("Dropout refuses a p outside 0 <= p < 1 in the notebook's words") {
  for (Scalar p : {Scalar(-0.1), Scalar(1), Scalar(1.5), Scalar(NAN)}) {
    CHECK(message<std::invalid_argument>([&] { nn::Dropout dropout(p); }) ==
        text_of("p must be in [0,1), and Dropout's is ", p));
  }
}

// ---- PositionwiseFeedForward

TEST_CASE("PositionwiseFeedForward has the notebook's attributes and parameters") {
  nn::PositionwiseFeedForward ffn(4, 8, Scalar(0.3));
  CHECK(ffn.d_model == 4);
  CHECK(ffn.d_ff == 8);
  CHECK(ffn.training);
  CHECK(ffn.bias);
  CHECK_FALSE(ffn.activation.inplace);
  CHECK(ffn.dropout.p == Scalar(0.3));
  std::string names;
  for (const Tensor& p : ffn.parameters()) {
    names += p.name();
    CHECK((p.is_leaf() && p.requires_grad() && !p.grad().defined()));
  }
  CHECK(names == "w1w2b1b2");
  CHECK(nn::PositionwiseFeedForward(4, 8).dropout.p == 0.1);
}

TEST_CASE("The weights begin normal with variance 1/d_model and 1/d_ff, the biases at zero") {
  manual_seed(0);
  nn::PositionwiseFeedForward ffn(100, 400);
  const auto variance = [](const Tensor& w) { return mean(w * w).item(); };
  const double four_sigmas = 4 * std::sqrt(2. / 40'000);
  CHECK(std::abs(variance(ffn.w1) * 100 - 1) < four_sigmas);
  CHECK(std::abs(variance(ffn.w2) * 400 - 1) < four_sigmas);
  CHECK(std::abs(mean(ffn.w1).item()) < 4 * 0.1 / 200);
  CHECK(sum(ffn.b1.eq(0)).item() == 400);
  CHECK(sum(ffn.b2.eq(0)).item() == 100);
}

TEST_CASE("The tape of the notebook's forward is matmul, add, clamp, mask, mul, div, matmul, add") {
  nn::PositionwiseFeedForward ffn(4, 8);
  const Tensor y = ffn(Tensor::ones({2, 3, 4}));
  std::string ops;
  for (const Node* node : recorded(y)) ops += std::string(node->op()) + ' ';
  CHECK(ops == "matmul add clamp dropout_mask mul div matmul add ");
}

TEST_CASE("PositionwiseFeedForward refuses its arguments in the notebook's words") {
  const auto thrown = [](int64_t d_model, int64_t d_ff, Scalar p) {
    return message<std::invalid_argument>([&] { nn::PositionwiseFeedForward ffn(d_model, d_ff, p); });
  };
  manual_seed(0);
  CHECK(thrown(0, 8, 0) == "d_model and d_ff must be positive. PositionwiseFeedForward: 0 and 8");
  CHECK(thrown(4, -8, 0) == "d_model and d_ff must be positive. PositionwiseFeedForward: 4 and -8");
  CHECK(thrown(4, 8, 1) == "dropout_p must be in [0,1), and is 1");
  CHECK(thrown(4, 8, -1) == "dropout_p must be in [0,1), and is -1");
  CHECK(random_state().call == 0);
}

TEST_CASE("PositionwiseFeedForward refuses an input of another size in the notebook's words") {
  nn::PositionwiseFeedForward ffn(4, 8);
  const auto thrown = [&](const Tensor& x) { return message<std::invalid_argument>([&] { ffn(x); }); };
  const std::string says = "Last dim must be d_model. PositionwiseFeedForward: ";
  CHECK(thrown(Tensor::ones({2, 5})) == says + "[2, 5], and d_model is 4");
  CHECK(thrown(Tensor::ones({})) == says + "[], and d_model is 4");
}
