#include "nn/positionwise_feed_forward.hpp"
#include "tests/support/test.hpp"

namespace {

struct Residual : nn::Module<Residual> {
  nn::PositionwiseFeedForward ffn{2, 3};
  static constexpr int line = __LINE__ + 1;
  Tensor forward(Tensor x) { return ffn(x) + x; }
  void parts(auto visit) { visit("ffn", ffn); }
};

Tensor operand() { return Tensor::of({{1., 2}, {3, 4}}); }
Tensor leaf() { return operand().requires_grad_(); }

}

TEST_CASE("An op and those inside it have the line of the user's call, under an Autocast too") {
  const Autocast autocast(GENERATE(Cast(nullptr), Cast(half)));
  const Tensor w = Tensor::randn({2, 2}).requires_grad_(), row = Tensor::ones({2});
  const Tensor index = Tensor::of({{1}}), batch = Tensor::ones({3, 2, 2});
  const auto at = [](int line, const Tensors& made) {
    for (const Tensor& y : made) {
      INFO(y.node()->op());
      CHECK(std::string(y.node()->loc.file).ends_with("tape_test.cpp"));
      for (const Node* node : reachable(y)) CHECK((node->is_leaf() || node->loc.line == line));
    }
  };
  Tensor x = Tensor::ones({2, 2}), z = x.clone();
  at(__LINE__, {w + row, row - w, w * 2, 2 / w, -w, x.add_(w), z *= w, dropout_mask(w, Scalar(0.5))});
  at(__LINE__, {linear(w, w, row), matmul(row, w), matmul(w, row), matmul(w, batch), var(w, 0)});
  at(__LINE__, {softmax(w, 0), log_softmax(w, 0), amin(w, 0), minimum(w, row), max(w), min(w)});
  at(__LINE__, {max(w, 0).values, min(w, 0).values, topk(w, 1).values, topk(w, 1, 0).values});
  at(__LINE__, {tril(w), prod(w), select(w, 0, 1), split(w, 1)[1], chunk(w, 2)[1], stack({w, w})});
  at(__LINE__, {gather(w, 0, index), fused_attention(w, w, batch, {}, 1)});
  at(__LINE__, {fused_feed_forward(w, w, {}, w, {}, 0)});
  at(__LINE__, {fused_attention(batch, w, w, row, 1, -9, true, 0.5)});
  CHECK((w + 1).node()->loc.line == __LINE__);
}

TEST_CASE("An op in a module also knows the user's innermost line") {
  Residual block;  // the reader's own module, with one of nn/ in it
  const int called = __LINE__ + 1;
  const Tensor y = block(operand());
  for (const Node* node : reachable(y)) {
    if (node->is_leaf()) continue;
    const bool own = std::string(node->loc.file).ends_with("tape_test.cpp");
    CHECK(node->caller.line == (own ? called : Residual::line));
    CHECK(std::string(node->caller.file).ends_with("tape_test.cpp"));
  }
  CHECK(reachable(y).size() == 4 + 8);  // leaves; matmul, add, clamp, mul, div, matmul, add, add
  CHECK(sum(y).node()->caller.file == nullptr);
}

TEST_CASE("A module that throws leaves no line behind") {
  nn::PositionwiseFeedForward ffn(2, 3);
  CHECK_THROWS(ffn(Tensor::zeros({5})));
  CHECK((leaf() + 1).node()->caller.file == nullptr);
}

TEST_CASE("Each reachable node is found once, newest first, and a leaf right after the last op that uses it") {
  const Tensor w = leaf(), v = leaf(), unused = leaf();
  const Tensor a = w * v, b = a * a + w;
  const Tensor young = leaf(), c = b * young, d = sum(c + v), unrelated = v * 3;
  Node* add = b.node();
  Node* square = add->inputs->node.get();
  Node* last_add = d.node()->inputs->node.get();
  for (int time = 0; time < 2; ++time)
    CHECK(reachable(d) ==
        std::vector<Node*>{d.node(), last_add, c.node(), young.node(), add, square, a.node(), w.node(), v.node()});
  CHECK(reachable(w) == std::vector<Node*>{w.node()});
  CHECK(reachable(operand()).empty());
}

TEST_CASE("Under NoGrad nothing is recorded, and scopes nest") {
  const Tensor w = leaf();
  const int64_t before = live_nodes();
  {
    const NoGrad outer;
    CHECK_FALSE(grad_enabled());
    CHECK_FALSE((w * 2).requires_grad());
    {
      const NoGrad inner;
      CHECK_FALSE(grad_enabled());
    }
    CHECK_FALSE(grad_enabled());
    const Tensor y = w * 2, mask = dropout_mask(y, Scalar(0.5));
    CHECK(live_nodes() == before);
    CHECK(parameter({1}).requires_grad());
  }
  CHECK(grad_enabled());
  CHECK((w * 2).requires_grad());
}
