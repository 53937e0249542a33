#include "core/tensor/random.hpp"
#include "nn/feed_forward.hpp"
#include "nn/positionwise_feed_forward.hpp"
#include "tests/support/test.hpp"

const OpExample of_fused_feed_forward(
    "fused_feed_forward",
    [](Tensors in) { return fused_feed_forward(in[0], in[1], in[2], in[3], in[4], Scalar(0.25)); },
    "dropped(F.relu(a @ b + c), 0.25) @ d + e", Shapes{{2, 3}, {3, 4}, {4}, {4, 3}, {3}});

namespace {

struct Step {
  Tensor y;
  Tensors grads;  // of x and of each parameter
  uint64_t draws = random_state().call;
};

// One training step of the layer with the same weights, input, draws and upstream gradient each
// time.
Step step(auto& ffn, const Tensor& x, bool fused) {
  const FusedOps mode(fused);
  manual_seed(7);
  const Tensor upstream = Tensor::randn(x.shape());
  const Tensor leaf = x.detach().requires_grad_();
  Step result{ffn(leaf), {}};
  result.y.backward(upstream);
  result.grads.push_back(leaf.grad());
  for (const Tensor& p : ffn.parameters()) {
    result.grads.push_back(p.grad());
    p.set_grad({});
  }
  return result;
}

void check_fused_equals_plain(auto& ffn, const Tensor& x) {
  const Step plain = step(ffn, x, false), fused = step(ffn, x, true);
  CHECK(fused.y.to_vector() == plain.y.to_vector());
  CHECK(fused.draws == plain.draws);
  REQUIRE(fused.grads.size() == plain.grads.size());
  for (size_t i = 0; i < plain.grads.size(); ++i) {
    CAPTURE(i);
    CHECK(allclose(fused.grads[i], plain.grads[i], 1e-5, 1e-5));
  }
}

void check_fused_equals_plain(const Shape& shape, int64_t d_ff, Scalar p, bool bias, bool training) {
  manual_seed(1);
  nn::PositionwiseFeedForward ffn(shape[-1], d_ff, p, bias);
  ffn.train(training);
  for (const Tensor& b : {ffn.b1, ffn.b2}) {
    if (b.defined()) b.detach().copy_(Tensor::randn(b.shape()));
  }
  CAPTURE(shape, d_ff, p, bias, training);
  check_fused_equals_plain(ffn, Tensor::randn(shape));
  const FusedOps fused;
  CHECK(std::string(ffn(leaf(shape)).node()->op()) == "fused_feed_forward");
}

}

TEST_CASE("the fused feed-forward layer equals the plain ops") {
  for (const bool bias : {true, false}) {
    for (const bool training : {true, false}) {
      check_fused_equals_plain({3, 7, 33}, 65, Scalar(0.1), bias, training);
      check_fused_equals_plain({1, 1}, 1, Scalar(0.5), bias, training);
      check_fused_equals_plain({130, 32}, 96, Scalar(0.1), bias, training);
      check_fused_equals_plain({2, 5, 2, 48}, 31, 0, bias, training);
      check_fused_equals_plain({0, 3, 4}, 8, Scalar(0.1), bias, training);
    }
  }
}

TEST_CASE("two Linear layers with a relu are fused for many rows, also at relu's zeros") {
  nn::FeedForward ffn(4, 17);
  ffn.w_1.bias.detach().copy_(Tensor::of({-1, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  for (const int64_t rows : {1, 300}) {
    const Tensor x = Tensor::randn({rows, 4}).detach();
    x[0] = Tensor::zeros({4});
    for (const bool mode : {false, true}) check_fused_equals_plain(ffn.train(mode), x);
    const FusedOps fused;
    CHECK((std::string(ffn(x).node()->op()) == "fused_feed_forward") == (rows > 1));
    for (const Cast cast : {bfloat16, half}) {
      const Autocast autocast(cast);
      check_fused_equals_plain(ffn, x);
    }
  }
}

TEST_CASE("a layer of no width gives its bias") {
  const Scalar p(0.1);
  const Tensor x = leaf({2, 3}), b2 = leaf({3});
  const Tensor y = fused_feed_forward(x, leaf({3, 0}), leaf({0}), leaf({0, 3}), b2, p);
  CHECK(y.to_vector() == add(Tensor::zeros({2, 3}), b2).to_vector());
  sum(y).backward();
  CHECK(x.grad().to_vector() == Values(6, 0));
  CHECK(b2.grad().to_vector() == Values(3, 2));

  const Tensor b1 = leaf({4});
  sum(fused_feed_forward(leaf({2, 0}), leaf({0, 4}), b1, leaf({4, 0}), leaf({0}), p)).backward();
  CHECK(b1.grad().to_vector() == Values(4, 0));
}

TEST_CASE("the fused layer refuses shapes that do not fit") {
  const Tensor x = Tensor::zeros({2, 3}), w1 = Tensor::zeros({3, 4}), w2 = Tensor::zeros({4, 3});
  const Tensor b1 = Tensor::zeros({4}), b2 = Tensor::zeros({3});
  CHECK_THROWS_AS(fused_feed_forward(x, w2, b1, w2, b2, 0), ShapeError);
  CHECK_THROWS_AS(fused_feed_forward(x, w1, b2, w2, b2, 0), ShapeError);
  CHECK_THROWS_AS(fused_feed_forward(x, w1, {}, w2, b2, 0), ShapeError);
  CHECK_THROWS_AS(fused_feed_forward(x, w1, b1, w2, b2, 1), ValueError);
  CHECK_ERROR(ShapeError, fused_feed_forward(Tensor::ones({}), w1, b1, w2, b2, 0),
      "fused_feed_forward: x [], w1 [3, 4] and w2 [4, 3] are not [.., d_model], [d_model, "
      "d_ff] and [d_ff, d_model]");
  for (const Shape& other : {Shape{5, 3}, {4, 5}, {4}})
    CHECK_THROWS_AS(fused_feed_forward(x, w1, b1, Tensor::zeros(other), b2, 0), ShapeError);
  CHECK_THROWS_AS(fused_feed_forward(x, Tensor::zeros({3}), b1, w2, b2, 0), ShapeError);
  CHECK_ERROR(ShapeError, fused_feed_forward(x, w1, b2, w2, b1, 0),
      "fused_feed_forward: b1 [3] and b2 [4] are not [d_ff] and [d_model] of w1 [3, 4]");
}

TEST_CASE("The fused layer drops the same units for a part of a batch as for all") {
  const Tensor x = Tensor::randn({5, 2, 3}), w1 = Tensor::ones({3, 40}), w2 = Tensor::randn({40, 3});
  for (const Cast cast : {Cast(nullptr), Cast(bfloat16)}) {
    const Autocast autocast(cast);
    set_random_state({7, 3});
    const Tensor all = fused_feed_forward(x, w1, {}, w2, {}, 0.5);
    set_random_state({7, 3, 2, 2});  // examples 2 and 3
    const Tensor some = fused_feed_forward(x.slice(0, 2, 4), w1, {}, w2, {}, 0.5);
    CHECK(some.to_vector() == all.slice(0, 2, 4).to_vector());
  }
  manual_seed(7);
}
