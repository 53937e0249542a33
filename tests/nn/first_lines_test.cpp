// What a reader's own modules meet: parts that were left out, copies, const, the documents' names.
#include "nn/documents/000.hpp"
#include "nn/documents/001.hpp"
#include "nn/documents/002.hpp"
#include "nn/documents/003.hpp"
#include "nn/nn.hpp"
#include "tests/support/expect.hpp"

using namespace stepgrad;

namespace {

struct ForgetsTensor : nn::Module<ForgetsTensor> {
  Tensor w = Tensor::ones({2}).requires_grad_(), b = Tensor::ones({3}).requires_grad_();
  Tensor frozen = Tensor::ones({4});
  template <class Visit>
  void parts(Visit visit) {
    visit("w", w);
  }
};

struct ForgetsList : nn::Module<ForgetsList> {
  nn::Linear first{2, 3};
  std::vector<nn::Linear> rest{{3, 3}, {3, 3}};
  template <class Visit>
  void parts(Visit visit) {
    visit("first", first);
  }
};

struct ForgetsDropout : nn::Module<ForgetsDropout> {
  nn::Linear first{2, 3};
  nn::Dropout dropout{Scalar(0.5)};
  template <class Visit>
  void parts(Visit visit) {
    visit("first", first);
  }
};

struct Tied : nn::Module<Tied> {
  Tensor w = Tensor::ones({2}).requires_grad_(), same = w, none;
  std::vector<nn::Linear> layers{{2, 2}, {2, 2}};
  template <class Visit>
  void parts(Visit visit) {
    visit("w", w), visit("same", same), visit("none", none), visit("layers", layers);
  }
  Tensor forward(Tensor x) {
    for (const nn::Linear& layer : layers) x = layer(x);
    return x * w;
  }
};

template <class Model>
std::string complaint() {
  const Model model;
  return message<ValueError>([&] { model.parameters(); });
}

}  // namespace

TEST_CASE("A part that parts() leaves out is refused at the first parameters()") {
  const auto ends = [](const std::string& text, const char* end) { return text.ends_with(end); };
  CHECK(ends(complaint<ForgetsTensor>(),
             "ForgetsTensor leaves out a tensor [3] that requires a gradient, so it would not be "
             "trained"));
  CHECK(ends(complaint<ForgetsTensor>(), "trained"));  // and every time
  CHECK(
      ends(complaint<ForgetsList>(),
           "ForgetsList leaves out a tensor 'weight' [3, 3] that requires a gradient, so it would "
           "not be trained"));
  CHECK(ends(complaint<ForgetsDropout>(),
             "ForgetsDropout leaves out 1 of its 2 modules, so train() and eval() would not reach "
             "there"));
  CHECK(complaint<Tied>() == "nothing was thrown");
}

TEST_CASE("clone() is deep, and what was one tensor is one in it") {
  const Tied model;
  const Tied other = model.clone();
  CHECK(other.w.is(other.same));
  CHECK_FALSE(other.w.is(model.w));
  CHECK(other.layers[1].weight.to_vector() == model.layers[1].weight.to_vector());
  CHECK_FALSE(other.layers[1].weight.is(model.layers[1].weight));
  CHECK(other.parameters().size() == model.parameters().size());
  const Tied copy = model;  // shares
  CHECK(copy.layers[0].bias.is(model.layers[0].bias));
}

TEST_CASE("A const module is called, and gives its parameters") {
  const nn::FeedForward ffn(2, 4, 0);
  const Tensor x = Tensor::randn({3, 2});
  sum(ffn(x)).backward();
  CHECK(ffn.parameters().size() == 4);
  ffn.zero_grad();
  CHECK(sum(ffn.w_1.weight.grad()).item() == 0);
  ffn.zero_grad(true);
  CHECK_FALSE(ffn.w_1.weight.grad().defined());
}

TEST_CASE("The documents' classes have the documents' names") {
  manual_seed(1);
  nn::document_000::PositionWiseFeedForward notebook(2, 4);
  CHECK(notebook.w1.shape() == Shape{2, 4});
  nn::document_001::PositionwiseFeedForward linear(2, 4);
  CHECK(linear.w_1.weight.shape() == Shape{4, 2});
  nn::document_003::PositionwiseFeedForward ffn(2, 4, 0), other(2, 4, 0);
  const Tensor x = Tensor::randn({3, 2});
  CHECK(allclose(ffn(x), ffn.proj_down(relu(ffn.proj_up(x)))));
  other = ffn;
  CHECK(&other.proj_up == &other.w_1);
  CHECK(other.proj_up.weight.is(ffn.proj_up.weight));
  const nn::document_003::PositionwiseFeedForward copy = ffn;
  CHECK(&copy.proj_down == &copy.w_2);
  CHECK(nn::document_003::ResidualConnection(0)(x, ffn).shape() == x.shape());
}

TEST_CASE("Under Autocast the output of Linear is of the narrower format, with its bias") {
  manual_seed(2);
  const nn::Linear layer(5, 7);
  const Tensor x = Tensor::randn({4, 5});
  const Autocast autocast(half);
  const Tensor y = layer(x);
  CHECK(half(y).to_vector() == y.to_vector());
  const Autocast off(nullptr);
  const Tensor exact = linear(half(x), half(layer.weight)) + half(layer.bias);
  CHECK(y.to_vector() == half(exact).to_vector());
}

TEST_CASE("Sequences of tensors are padded to the longest, each with its gradient") {
  const Tensor a = Tensor::of({1, 2, 3}).requires_grad_(), b = Tensor::of({4});
  const Tensor y = nn::pad_sequence({a, b}, -1);
  CHECK(y.to_vector() == Values{1, 2, 3, 4, -1, -1});
  sum(y * y).backward();
  CHECK(a.grad().to_vector() == Values{2, 4, 6});
  CHECK(nn::pad_sequence({Tensor::ones({2, 3}), Tensor::ones({1, 3})}).shape() == Shape{2, 2, 3});
  CHECK_THROWS_AS(nn::pad_sequence(std::vector<Tensor>{}), ValueError);
  CHECK_THROWS_AS(nn::pad_sequence({Tensor::ones({2, 3}), Tensor::ones({1, 2})}), ShapeError);
}

TEST_CASE("SGD looks ahead with nesterov, as PyTorch's") {
  const Tensor w = Tensor::of({1}).requires_grad_();
  nn::SGD sgd({w}, Scalar(0.5), Scalar(0.5), 0, true);
  for (int step = 0; step < 2; ++step) {
    sgd.zero_grad(true);
    sum(w * 2).backward();
    sgd.step();
  }
  CHECK(w.item() == Scalar(-2.25));  // 1 - 0.5 (2 + 1), then - 0.5 (2 + 1.5)
  CHECK_THROWS_AS(nn::SGD({w}, 1, 0, 0, true), ValueError);
}

TEST_CASE("GradScaler takes one step an update") {
  const Tensor w = Tensor::of({1}).requires_grad_();
  nn::SGD sgd({w}, 1);
  nn::GradScaler scaler;
  scaler.scale(sum(w)).backward();
  scaler.step(sgd);
  CHECK_THROWS_AS(scaler.step(sgd), ValueError);
  CHECK(w.item() == 0);
  scaler.update();
  CHECK(scaler.step(sgd));
}

TEST_CASE("A number has a softmax, too") {
  CHECK(softmax(Tensor::of(3), 0).item() == 1);
  CHECK(log_softmax(Tensor::of(3)).shape() == Shape{});
  CHECK_THROWS_AS(softmax(Tensor::of(3), 1), IndexError);
}
