#include "nn/transformer_block.hpp"
#include "tests/support/test.hpp"

const OpExample of_fused_attention(
    "fused_attention",
    [](Tensors in) {
      return fused_attention(in[0], in[1], in[2], Tensor::of({0, 1, 0}), Scalar(0.5), Scalar(-1e9), false, 0.25);
    },
    "dropped(F.softmax((a @ b.mT * 0.5).masked_fill(torch.tensor([0, 1, 0]) != 0, -1e9), -1), "
    "0.25) @ c",
    Shapes{{2, 3, 2}, {2, 3, 2}, {2, 3, 4}});

namespace {

Tensor by_plain_ops(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask, bool causal, double p,
    Scalar fill = Scalar(-1e9)) {
  Tensor s = matmul(q, transpose(k, -1, -2)) * Scalar(0.25);
  if (causal) s = masked_fill(s, triu(Tensor::ones({s.size(-2), s.size(-1)}), 1), fill);
  if (mask.defined()) s = masked_fill(s, mask, fill);
  Tensor P = softmax(s, -1);
  if (p > 0) P = P * dropout_mask(P, Scalar(1 - p)) / Scalar(1 - p);
  return matmul(P, v);
}

// Bits of the values, and gradients but for rounding.
void check_equals_plain(const Shape& q_shape, const Shape& k_shape, int64_t d_v, const Tensor& mask, bool causal,
    double p, Scalar fill = Scalar(-1e9)) {
  CAPTURE(q_shape, k_shape, d_v, causal, p, fill);
  manual_seed(3);
  const Tensor q = Tensor::randn(q_shape).requires_grad_();
  const Tensor k = Tensor::randn(k_shape).requires_grad_();
  const Tensor v = Tensor::randn(k_shape.with(k_shape.dims() - 1, d_v)).requires_grad_();
  Tensors ys, grads;
  for (const bool fused : {false, true}) {
    manual_seed(5);
    const Tensor y = fused ? fused_attention(q, k, v, mask, Scalar(0.25), fill, causal, p)
                           : by_plain_ops(q, k, v, mask, causal, p, fill);
    manual_seed(6);
    y.backward(Tensor::randn(y.shape()));
    ys.push_back(y);
    for (const Tensor& x : {q, k, v}) {
      grads.push_back(x.grad());
      x.set_grad({});
    }
  }
  CHECK(ys[0].to_vector() == ys[1].to_vector());
  for (size_t i = 0; i < 3; ++i) CHECK(allclose(grads[i + 3], grads[i], 1e-5, 1e-5));
}

}

TEST_CASE("Fused attention equals the plain ops") {
  manual_seed(1);
  for (const double p : {0., 0.3}) {
    check_equals_plain({7, 5}, {9, 5}, 3, {}, false, p);
    check_equals_plain({2, 3, 33, 16}, {2, 3, 33, 16}, 16, {}, true, p);
    check_equals_plain({2, 4, 6}, {2, 4, 6}, 6, gt(Tensor::rand({4, 1}), 0.5), false, p);
    check_equals_plain({2, 4, 6}, {2, 0, 6}, 6, {}, false, p);
    check_equals_plain({2, 3, 4, 6}, {2, 1, 5, 6}, 6, {}, false, p);  // one head's K and V for all
  }
}

TEST_CASE("A mask is of all heads, of each head, of each example, or of each head of each example") {
  manual_seed(4);
  for (const Shape& mask :
      {Shape{5}, Shape{3, 1, 5}, Shape{2, 1, 4, 1}, Shape{2, 3, 1, 1}, Shape{2, 3, 4, 5}, Shape{1, 3, 4, 5}}) {
    CAPTURE(mask);
    const Shape q{2, 3, 4, 6}, k{2, 3, 5, 6};
    check_equals_plain(q, k, 6, gt(Tensor::rand(mask), 0.5), true, 0.3, -2);
    check_equals_plain(q, k.with(1, 1), 6, gt(Tensor::rand(mask), 0.5), true, 0.3, -2);
  }
}

TEST_CASE("A query whose keys are all masked by -inf gives NaN, in its row alone, as by plain ops") {
  const Tensor x = Tensor::randn({3, 2}).requires_grad_();
  const Tensor mask = Tensor::of({{0, 1, 0}, {1, 1, 1}, {0, 0, 1}});
  std::vector<std::string> said;
  for (const bool fused : {false, true}) {
    const Tensor y = fused ? fused_attention(x, x, x, mask, Scalar(0.25), -infinity)
                           : by_plain_ops(x, x, x, mask, false, 0, -infinity);
    y.backward(Tensor::of({{1, 2}, {0, 0}, {3, 4}}));
    said.push_back(text(y) + ", " + text(x.grad()));
    CHECK(text(y[1]) == "nan nan");
    CHECK(std::isfinite(sum(y[0] + y[2]).item()));
    x.set_grad({});
  }
  CHECK(said[0] == said[1]);
}

TEST_CASE("Fused attention drops the same for a part of a batch as for all") {
  const Tensor x = Tensor::randn({5, 2, 3, 4});
  const auto attended = [](const Tensor& some) { return fused_attention(some, some, some, {}, 1, 0, false, 0.5); };
  set_random_state({7, 3});
  const Tensor all = attended(x);
  set_random_state({7, 3, 2, 2});  // examples 2 and 3
  CHECK(attended(x.slice(0, 2, 4)).to_vector() == all.slice(0, 2, 4).to_vector());
  set_random_state({7, 4});
}

TEST_CASE("Fused attention is one node that keeps its inputs only") {
  const Tensor x = Tensor::randn({1, 64, 2}).requires_grad_();
  const int64_t before = live_storages();
  const Tensor y = fused_attention(x, x, x, {}, 1);
  CHECK(std::string(y.node()->op()) == "fused_attention");
  CHECK(saved_letters(y) == "QKV");
  CHECK(live_storages() == before + 1);  // y
}

TEST_CASE("A Transformer block has the same bits with fused attention") {
  manual_seed(2);
  nn::TransformerBlock block(12, 3, 24, 0.1);
  const Tensor x = Tensor::randn({2, 10, 12}), mask = triu(Tensor::ones({10, 10}), 1);
  manual_seed(3);
  const Tensor plain = block(x, mask);
  const FusedOps fused;
  manual_seed(3);
  CHECK(block(x, mask).to_vector() == plain.to_vector());
}

TEST_CASE("Fused attention names all three shapes, each in its place") {
  const auto of = [](int64_t n, int64_t d) { return Tensor::ones({2, n, d}); };
  CHECK_ERROR(ShapeError, fused_attention(of(3, 4), of(5, 4), of(6, 7), {}, 1),
      "fused_attention: q [2, 3, 4], k [2, 5, 4] and v [2, 6, 7] are not [.., n_q, d], "
      "[.., n_k, d] and [.., n_k, d_v]");
  CHECK_ERROR(ShapeError, fused_attention(of(3, 4), of(3, 4), of(3, 4), Tensor::ones({4, 2, 3, 3}), 1),
      "fused_attention: a mask of [4, 2, 3, 3] does not broadcast to [2, 3, 3]");
}

TEST_CASE("Each of q, k and v may be broadcast over leading sizes") {
  const Tensor all = Tensor::randn({3, 2, 4}), one = Tensor::randn({1, 2, 4});
  const auto wide = [](const Tensor& x) { return x.expand({3, 2, 4}); };
  for (int which = 0; which < 3; ++which) {
    const Tensor q = which == 0 ? one : all, k = which == 1 ? one : all, v = which == 2 ? one : all;
    CHECK_THAT(fused_attention(q, k, v, {}, Scalar(0.25)).to_vector(),
        near(by_plain_ops(wide(q), wide(k), wide(v), {}, false, 0).to_vector()));
  }
}
