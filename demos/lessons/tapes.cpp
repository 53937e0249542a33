#include "demos/lessons/tapes.hpp"

#include <cmath>

#include "nn/moe_feed_forward.hpp"
#include "nn/positionwise_feed_forward.hpp"
#include "nn/transformer_block.hpp"
#include "ops/ops.hpp"

namespace stepgrad::demo {

static Tensor leaf(const Tensor& x, const char* name) { return x.requires_grad_().set_name(name); }
static Tensor leaf(Scalar x, const char* name) { return leaf(Tensor::full({}, x), name); }

// Unequal numbers that the page's Python cells make by the same formula, on any engine.
static Tensor waves(const Shape& shape, Scalar first = 0) { return reshape(sin(arange(shape.numel()) + first), shape); }

Tensor one_number() {
  const Tensor w = leaf(3, "w"), x = leaf(2, "x");
  return mul(w, x).set_name("y");
}

Tensor chain() {
  const Tensor w = leaf(3, "w"), x = leaf(2, "x");
  const Tensor y = mul(w, x).set_name("y");
  return pow(y, 2).set_name("loss");
}

Tensor tour() {
  const Tensor x = Tensor::of({{1, 2}, {-1, 3}}).set_name("x");
  const Tensor w = leaf(Tensor::of({{0.5, -1.}, {0.25, 1.}}), "w");
  const Tensor b = leaf(Tensor::of({0.5, -0.5}), "b");
  const Tensor h = relu(matmul(x, w) + b).set_name("h");
  return mean(h * h).set_name("loss");
}

Tensor used_twice() {
  const Tensor x = leaf(3, "x");
  const Tensor square = mul(x, x).set_name("square");
  return add(square, x).set_name("loss");
}

Tensor own_tape() {
  const Tensor w = leaf(2, "w"), x = leaf(3, "x"), b = leaf(-5, "b");
  const Tensor y = (w * x + b).set_name("y");
  return pow(y, 2).set_name("loss");
}

Tensor gradient_check() { return pow(leaf(2, "w"), 3).set_name("loss"); }

Tensor matmul_and_bias() {
  const Tensor X = leaf(Tensor::of({{1., 2., 3.}, {4., 5., 6.}}), "X");
  const Tensor W = leaf(Tensor::of({{1., 0.}, {0., 1.}, {2., -1.}}), "W");
  const Tensor b = leaf(Tensor::of({0.5, -0.5}), "b");
  const Tensor Y = (matmul(X, W) + b).set_name("Y");
  const Tensor weights = Tensor::of({{1., 2.}, {3., -1.}}).set_name("weights");
  return sum(Y * weights).set_name("loss");
}

Tensor feed_forward() {
  nn::PositionwiseFeedForward ffn(4, 8, Scalar(0.1));
  {
    const NoGrad no_grad;
    ffn.w1.copy_(waves({4, 8})), ffn.w2.copy_(waves({8, 4}, 5));
    ffn.b1.zero_(), ffn.b2.zero_();
  }
  manual_seed(3);  // for the mask
  const Tensor x = waves({3, 4}, 1).set_name("x");
  return mean(ffn(x)).set_name("loss");
}

Tensor dropout_and_relu() {
  const Tensor x = leaf(Tensor::of({{1., -2., 3., -4.}, {0.5, 2., -1., 4.}}), "x");
  const Tensor h = relu(x).set_name("h");
  const nn::Dropout dropout(Scalar(0.5));
  return sum(dropout(h)).set_name("loss");
}

// The second of two passes, with zero_grad() forgotten between them.
Tensor zero_grad() {
  const Tensor w = leaf(Tensor::of({1., 2.}), "w"), x = Tensor::of({3., 4.}).set_name("x");
  sum(w * x).backward();
  return sum(w * x).set_name("loss");
}

// Each row's shares of its sum. A row without a positive number becomes 0/0.
Tensor shares() {
  const Tensor x = leaf(Tensor::of({{1., 3.}, {0., -1.}}), "x");
  const Tensor positive = clamp(x, 0).set_name("positive");
  const Tensor total = sum(positive, 1, true).set_name("total");
  return mean(pow(positive / total, 2)).set_name("loss");
}

// The word 1, twice; what comes next is 0, then 2.
Tensor next_word() {
  const Tensor table = leaf(Tensor::zeros({3, 3}), "table");
  const Tensor x = embedding(table, Tensor::of({1, 1}).set_name("ids")).set_name("x");
  return cross_entropy(x, Tensor::of({0, 2}).set_name("targets")).set_name("loss");
}

// Four words, each of which looks at itself and at earlier ones.
Tensor attention() {
  const Tensor x = waves({4, 2}, 1).set_name("x");
  const Tensor Q = matmul(x, leaf(waves({2, 2}, 1), "W_Q")).set_name("Q");
  const Tensor K = matmul(x, leaf(waves({2, 2}, 2), "W_K")).set_name("K");
  const Tensor V = matmul(x, leaf(waves({2, 2}, 3), "W_V")).set_name("V");
  const Tensor mask = triu(Tensor::ones({4, 4}), 1).set_name("mask");
  const Tensor scores = matmul(Q, K.t()) / std::sqrt(2.f);
  const Tensor masked = masked_fill(scores, mask, -1e9f).set_name("masked");
  const Tensor P = softmax(masked, -1).set_name("P");
  const Tensor Y = matmul(P, V).set_name("Y");
  return mean(pow(Y - x, 2)).set_name("loss");
}

// Attention and a feed-forward, each added to its input and normalised.
Tensor block() {
  nn::TransformerBlock block(4, 1, 8, 0);
  const Tensor x = leaf(Tensor::randn({1, 3, 4}), "x");
  const Tensor target = Tensor::randn({1, 3, 4}).set_name("target");
  const Tensor a = block.attention(x, x, x).output;
  const Tensor h = block.norm1((x + a).set_name("x + a")).set_name("h");
  const Tensor y = block.norm2((h + block.ffn(h)).set_name("h + ffn(h)")).set_name("y");
  return mean(pow(y - target, 2)).set_name("loss");
}

Tensor depth() {
  const Tensor x = leaf(1, "x"), w1 = leaf(Scalar(0.5), "w1"), w2 = leaf(Scalar(0.5), "w2");
  const Tensor w3 = leaf(Scalar(0.5), "w3"), w4 = leaf(Scalar(0.5), "w4");
  return mul(w4, mul(w3, mul(w2, mul(w1, x)))).set_name("h4");
}

Tensor adam() {
  const Tensor w = leaf(Tensor::ones({2}), "w"), x = Tensor::of({10, 0.1}).set_name("x");
  return sum(w * x).set_name("loss");
}

// Two experts, and a gate that weights them for each row.
Tensor training() {
  const nn::MoEFeedForward moe(2, 3, 2, 0);
  const Tensor x = Tensor::randn({4, 2}).set_name("x");
  const Tensor target = (x * x).set_name("target");
  const Tensor shares = softmax(moe.gate(x), -1).set_name("shares");
  const Tensor y = slice(shares, -1, 0, 1) * moe.experts[0](x) + slice(shares, -1, 1, 2) * moe.experts[1](x);
  return mean(pow(y - target, 2)).set_name("loss");
}

}
