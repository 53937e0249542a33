#include "core/tape/grad.hpp"
#include "core/watch/stepper.hpp"
#include "nn/nn.hpp"
#include "tests/support/test.hpp"

using Catch::Matchers::EndsWith;

static std::string whole_message(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

#define CHECK_LINE(...)                           \
  CHECK_THAT(whole_message([&] { __VA_ARGS__; }), \
             EndsWith(" (at error_line_test.cpp:" + std::to_string(__LINE__) + ")"))

TEST_CASE("An op's error ends with the line that called it") {
  const Tensor x = Tensor::ones({2, 3}), row = Tensor::ones({4}), ids = Tensor::of({0, 7});
  const Tensors both{x, row};
  const Shape wide{2, 4};
  CHECK_LINE(matmul(x, x));
  CHECK_LINE(batched_matmul(x, row));
  CHECK_LINE(linear(x, x, row));
  CHECK_LINE(add(x, row));
  CHECK_LINE(mul(x, row));
  CHECK_LINE(div(x, row));
  CHECK_LINE(eq(x, row));
  CHECK_LINE(maximum(x, row));
  CHECK_LINE(minimum(x, row));
  CHECK_LINE(pow(x, row));
  CHECK_LINE(where(x, x, row));
  CHECK_LINE(x.clone().add_(row));
  CHECK_LINE(x.clone()[0] = row);
  CHECK_LINE(x.masked_fill(row, 0));
  CHECK_LINE(x[2]);
  CHECK_LINE(x.select(1, 3));
  CHECK_LINE(x.slice(0, 1, 5));
  CHECK_LINE(x.split(0));
  CHECK_LINE(x.chunk(0));
  CHECK_LINE(x.sum(2));
  CHECK_LINE(x.mean(-3));
  CHECK_LINE(x.var(2));
  CHECK_LINE(x.softmax(2));
  CHECK_LINE(x.log_softmax(2));
  CHECK_LINE(x.cumsum(2));
  CHECK_LINE(x.amax(2));
  CHECK_LINE(x.max(2));
  CHECK_LINE(x.argmax(2));
  CHECK_LINE(x.topk(4));
  CHECK_LINE(x.reshape(wide));
  CHECK_LINE(x.view(wide));
  CHECK_LINE(x.unsqueeze(4));
  CHECK_LINE(x.squeeze(2));
  CHECK_LINE(x.expand(wide));
  CHECK_LINE(x.repeat({2}));
  CHECK_LINE(x.transpose(0, 2));
  CHECK_LINE(x.permute({0}));
  CHECK_LINE(row.triu());
  CHECK_LINE(row.tril());
  CHECK_LINE(x.clamp(2, 1));
  CHECK_LINE(concat(both));
  CHECK_LINE(stack(both));
  CHECK_LINE(gather(x, 0, row));
  CHECK_LINE(embedding(x, ids));
  CHECK_LINE(one_hot(ids, 3));
  CHECK_LINE(cross_entropy(x, row));
  CHECK_LINE(cross_entropy(x, ids));
  CHECK_LINE(layer_norm(x, row, row));
  CHECK_LINE(x + Tensor());
  CHECK_LINE(mean(x.exp() + x.sum(1).reshape(wide)));  // an op within others
}

TEST_CASE("A module's error names its line and the one that called the module") {
  nn::Linear layer(3, 8);
  layer.weight = Tensor::ones({3});
  const Tensor x = Tensor::ones({2, 3});
  const std::string here = "error_line_test.cpp:" + std::to_string(__LINE__ + 1) + ")";
  const std::string said = whole_message([&] { layer(x); });
  CHECK(said.find(" (at linear.cpp:") != std::string::npos);
  CHECK(said.ends_with(", from " + here));
  const nn::PositionwiseFeedForward ffn(2, 8);
  CHECK_LINE(ffn(x));
}

TEST_CASE("An error of a tensor's own member, or of a new tensor, names the line") {
  const Tensor x = Tensor::ones({4, 2}), w = parameter({1, 2}), none;
  CHECK_LINE(x.item());
  CHECK_LINE(x.at(9, 0));
  CHECK_LINE(x.at(1));
  CHECK_LINE(x.at());
  CHECK_LINE(x.size(2));
  CHECK_LINE(x.shape()[9]);
  CHECK_LINE(x.shape()[-3]);
  CHECK_LINE(x.backward());
  CHECK_LINE((w * 2).backward());
  CHECK_LINE(sum(w).backward(x));
  CHECK_LINE(grad({x}, {w}));
  CHECK_LINE(grad({w}, {x}));
  CHECK_LINE(Stepper(w * 2));
  CHECK_LINE((w * 2).grad());
  CHECK_LINE((w * 2).requires_grad_(false));
  CHECK_LINE(x.set_grad(x));
  CHECK_LINE(w.set_grad(x));
  CHECK_LINE(x.retain_grad());
  CHECK_LINE(x.register_hook({}));
  CHECK_LINE(x.remove_hook(0));
  CHECK_LINE(w.fill_(1));
  CHECK_LINE(w.copy_(x));
  CHECK_LINE(Tensor::empty({-1, 3}));
  CHECK_LINE(Tensor::zeros({-1, 3}));
  CHECK_LINE(Tensor::ones({-1, 3}));
  CHECK_LINE(Tensor::full({-1, 3}, 1));
  CHECK_LINE(Tensor::rand({-1, 3}));
  CHECK_LINE(Tensor::randn({-1, 3}));
  CHECK_LINE(Tensor::zeros({1, 1, 1, 1, 1, 1, 1}));
  CHECK_LINE(Tensor::from(std::vector<Scalar>{1}, {2}));
  CHECK_LINE(Tensor::of({{1, 2}, {3}}));
  CHECK_LINE(none.shape());
  CHECK_LINE(none.item());
  CHECK_LINE(none.backward());
  CHECK_LINE(none.grad_fn());
  CHECK(Tensor::ones({}).grad_fn().empty());
}

TEST_CASE("An error of a module's constructor names the line, also where modules are its parts") {
  CHECK_LINE(nn::Dropout(1.5));
  CHECK_LINE(nn::Linear(0, 2));
  CHECK_LINE(nn::LayerNorm(0));
  CHECK_LINE(nn::Embedding(0, 1));
  CHECK_LINE(nn::Conv1d(0, 1));
  CHECK_LINE(nn::PositionwiseFeedForward(4, 0));
  CHECK_LINE(nn::FeedForward(4, 8, 2));
  CHECK_LINE(nn::SwiGLU(4, 0));
  CHECK_LINE(nn::ResidualConnection(1));
  CHECK_LINE(nn::MultiHeadAttention(5, 2));
  CHECK_LINE(nn::TransformerBlock(5, 2));
  CHECK_LINE(nn::MoEFeedForward(0, 2));
  CHECK_LINE(nn::SGD({}));
  CHECK_LINE(nn::AdamW({}));
}

TEST_CASE("Where a gradient is used that has not arrived, the message says whose it is") {
  const Tensor w = parameter({1, 2}).set_name("w"), x = Tensor::ones({3});
  for (const auto& use : std::initializer_list<std::function<void(const Tensor&)>>{
           [](const Tensor& g) { g.item(); }, [](const Tensor& g) { g.shape(); },
           [](const Tensor& g) { g * 2; }, [](const Tensor& g) { g.sum(); },
           [](const Tensor& g) { g[0]; }, [](const Tensor& g) { g.at(0); }}) {
    CHECK_THAT(whole_message([&] { use(w.grad()); }),
               ContainsSubstring("; perhaps 'w' [2] has no gradient yet: backward() has not run"));
    CHECK_THAT(whole_message([&] { use(x.grad()); }),
               ContainsSubstring("; perhaps a tensor [3] requires no gradient"));
  }
  CHECK_THAT(whole_message([&] { w.grad().item(); }), ContainsSubstring("undefined; 'w' [2] has"));
}

namespace {

// Y = A∘B      dA = dY∘B, dB = dY∘A, without asking whether they are wanted
struct HastyBackward final : Node {
  static constexpr Formula formula{"hasty", "Y = A∘B", "dA = dY∘B, dB = dY∘A"};
  explicit HastyBackward(bool both) : Node(formula) {
    if (both) b.emplace(this);
  }
  void backward(Tensor dY) override {
    a.add_grad(dY * B);
    b->add_grad(dY * A);
  }
  static constexpr int line = __LINE__ - 2;  // of what adds to b
  Input a{this};
  std::optional<Input> b;
  Saved A{this, "A", &a}, B{this, "B"};
};

Tensor hasty(Arg a, Arg b, bool both = true) {
  const Tensor* const operands[] = {&a.tensor, &b.tensor};
  auto node = record<HastyBackward>(operands, a.loc, both);
  node->A = a.tensor, node->B = b.tensor;
  return on_tape(mul(a.tensor.detach(), b.tensor.detach()), std::move(node));
}

}

TEST_CASE("An op of one's own that asks too little is told what it has to ask") {
  const Tensor w = parameter({1, 2}), x = Tensor::ones({2}).set_name("x");
  CHECK_ERROR(
      TapeError, sum(hasty(w, x)).backward(),
      "add_grad: the input 'x' [2] requires no gradient: ask if (x) before x.add_grad(...)");
  CHECK_THAT(whole_message([&] { sum(hasty(w, x)).backward(); }),
             EndsWith(" (at error_line_test.cpp:" + std::to_string(HastyBackward::line) + ")"));
  CHECK_ERROR(TapeError, hasty(w, w, false),
              "hasty: its struct has fewer Inputs than the 2 operands it is recorded with");
  const NoGrad no_grad;
  CHECK_ERROR(TapeError, hasty(w, w), "nothing is recorded here: ask if (node) before node->...");
}
