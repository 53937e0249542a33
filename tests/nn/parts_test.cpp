// A module's parts: left out, shared, copied, const.
#include "nn/feed_forward.hpp"
#include "tests/support/test.hpp"

namespace {

struct ForgetsTensor : nn::Module<ForgetsTensor> {
  Tensor b = Tensor::ones({3}).requires_grad_(), w = Tensor::ones({2}).requires_grad_();
  Tensor frozen = Tensor::ones({4});
  void parts(auto visit) { visit("w", w); }
};

struct ForgetsList : nn::Module<ForgetsList> {
  nn::Linear first{2, 3};
  std::vector<nn::Linear> rest{{3, 3}, {3, 3}};
  void parts(auto visit) { visit("first", first); }
};

struct ForgetsDropout : nn::Module<ForgetsDropout> {
  nn::Linear first{2, 3};
  nn::Dropout dropout{Scalar(0.5)};
  void parts(auto visit) { visit("first", first); }
};

struct Tied : nn::Module<Tied> {
  Tensor w = Tensor::ones({2}).requires_grad_(), same = w, none;
  std::vector<nn::Linear> layers{{2, 2}, {2, 2}};
  void parts(auto visit) { visit("w", w), visit("none", none), visit("layers", layers), visit("same", same); }
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

}

TEST_CASE("A part that parts() leaves out is refused at the first parameters()") {
  const std::string untrained = " that requires a gradient, so it would not be trained";
  for (int time = 0; time < 2; ++time)
    CHECK(complaint<ForgetsTensor>().ends_with("ForgetsTensor leaves out a tensor [3]" + untrained));
  CHECK(complaint<ForgetsList>().ends_with("ForgetsList leaves out a tensor 'weight' [3, 3]" + untrained));
  CHECK(complaint<ForgetsDropout>().ends_with(
      "leaves out 1 of its 2 modules, so train() and eval() would not reach there"));
  CHECK(complaint<Tied>() == "nothing was thrown");
}

TEST_CASE("clone() is deep, and keeps shared tensors shared") {
  const Tied model;
  const Tied other = model.clone();
  CHECK(other.w.is(other.same));
  CHECK_FALSE(other.w.is(model.w));
  CHECK(other.layers[1].weight.to_vector() == model.layers[1].weight.to_vector());
  CHECK_FALSE(other.layers[1].weight.is(model.layers[1].weight));
  CHECK(other.parameters().size() == model.parameters().size());
  CHECK(other.layers[1].weight.name() == model.layers[1].weight.name());
  model.layers[0].bias.requires_grad_(false);
  CHECK_FALSE(model.clone().layers[0].bias.requires_grad());
  CHECK(model.clone().layers[1].bias.requires_grad());
  model.layers[0].bias.requires_grad_();
  const Tied copy = model;  // shares
  CHECK(copy.layers[0].bias.is(model.layers[0].bias));
}
