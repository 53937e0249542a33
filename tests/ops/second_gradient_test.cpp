// Gradients of gradients.
#include "nn/positionwise_feed_forward.hpp"
#include "tests/support/test.hpp"

namespace {

// The gradients of Σ U∘f(inputs)², one after the other, U any numbers: a function whose own
// gradient is a second derivative of f.
Function gradients_of(const Function& f, const Tensors& inputs) {
  std::vector<bool> of;
  for (const Tensor& x : inputs) of.push_back(x.requires_grad());
  return [f, of](Tensors in) {
    const EnableGrad enable_grad;
    Tensors wanted;
    for (size_t i = 0; i < in.size(); ++i) {
      if (!of[i]) continue;
      if (!in[i].requires_grad()) in[i] = in[i].detach().requires_grad_();
      wanted.push_back(in[i]);
    }
    const Tensor y = f(in);
    Tensors flat;
    for (const Tensor& g : grad({sum(y * y * Tensor::randn(y.shape()))}, wanted, {.create_graph = true}))
      flat.push_back(reshape(g, {-1}));
    return concat(flat, 0);
  };
}

}

TEST_CASE("A recorded gradient is linear in the upstream one, and as steep where that is 0") {
  for (const OpExample& example : OpExample::all()) {
    if (!example.differentiates_twice()) continue;
    INFO(example.op);
    const auto slope_at = [&example](const std::function<Tensor(const Shape&)>& upstream) {
      manual_seed(7);
      const Tensors inputs = example.inputs();
      const Tensor y = example.f(inputs), dY = upstream(y.shape()).requires_grad_();
      Tensors wanted;
      std::copy_if(
          inputs.begin(), inputs.end(), std::back_inserter(wanted), [](const Tensor& x) { return x.requires_grad(); });
      Tensor sum_of_all = Tensor::of(0);
      manual_seed(9);
      for (const Tensor& g : grad({y}, wanted, {.grad_outputs = {dY}, .create_graph = true}))
        sum_of_all = sum_of_all + sum(g * Tensor::randn(g.shape()));
      return grad({sum_of_all}, {dY})[0];
    };
    const Tensor slope = slope_at([](const Shape& shape) { return Tensor::randn(shape); });
    CHECK(allclose(
        slope_at([](const Shape& shape) { return Tensor::zeros(shape); }), slope, 1000 * epsilon, 1000 * epsilon));
  }
}

TEST_CASE("Every op has the second derivatives of central differences") {
  for (const OpExample& example : OpExample::all()) {
    if (!example.differentiates_twice()) continue;
    INFO(example.op);
    const Tensors inputs = example.inputs();
    gradcheck(gradients_of(example.f, inputs), inputs);
  }
}

TEST_CASE("Nothing of a gradient's history outlives the handles") {
  const int64_t nodes = live_nodes();
  {
    const Tensor w = Tensor::randn({3, 3}).requires_grad_(), x = Tensor::randn({2, 3});
    const Tensor y = sum(softmax(relu(matmul(x, w))));
    y.backward({}, true, true);
    const Tensor penalty = sum(w.grad() * w.grad());
    CHECK(grad({penalty}, {w})[0].defined());
  }
  CHECK(live_nodes() == nodes);
}

TEST_CASE("grad leaves all gradients unchanged, and its errors name the input") {
  const Tensor a = parameter({2.}), b = parameter({3.});
  a.set_grad(Tensor::of({7.})), b.set_grad(Tensor::of({5.}));  // of an earlier pass
  const Tensor h = a * a, y = h * b;
  CHECK(grad({y, h}, {h, b}, {.retain_graph = true})[0].item() == 4);
  CHECK_THROWS_AS(h.grad(), TapeError);  // nobody asked to retain that
  const Tensors given{Tensor::of({1.}), Tensor::of({10.}), Tensor::of({100.})};
  CHECK(grad({h, y, h}, {a}, {.grad_outputs = given, .retain_graph = true})[0].item() == 101 * 4 + 10 * 12);
  CHECK(a.grad().item() == 7);
  CHECK(b.grad().item() == 5);
  CHECK_THROWS_AS(grad({h}, {b}, {.retain_graph = true}), TapeError);
  CHECK_THROWS_AS(grad({h}, {a, b}, {.retain_graph = true}), TapeError);
  CHECK(!grad({h}, {b}, {.retain_graph = true, .allow_unused = true})[0].defined());
  CHECK(b.grad().item() == 5);
  CHECK_THROWS_AS(grad({y}, {Tensor::of({1.})}), TapeError);
  CHECK_ERROR(ValueError, grad({y}, {a}, {.grad_outputs = {a, a}}), "grad: 2 gradients for 1 outputs");
  const Tensor unused = parameter({{1., 2.}});
  CHECK_ERROR(TapeError, grad({y}, {a, unused}, {.retain_graph = true}),
      "grad: the input of [1, 2] was not used for the outputs");
  CHECK(grad({y, h}, {b})[0].item() == 4);
  CHECK_THROWS_AS(grad({y}, {b}), TapeError);  // which has run, and kept nothing
}

TEST_CASE("An op that a gradient recorded names that gradient") {
  const Tensor x = parameter({1., 2.}), w = parameter({3., 4.});
  const Tensor y = sum(x * w);
  const Tensor g = grad({y}, {x}, {.create_graph = true})[0];
  REQUIRE(g.node()->gradient_of.formula);
  CHECK(std::string(g.node()->op()) == "mul");
  CHECK(std::string(g.node()->gradient_of.formula->op) == "mul");
  CHECK(g.node()->gradient_of.number == 1);
  CHECK(!y.node()->gradient_of.formula);
  CHECK_THAT(tape(g), ContainsSubstring("in mul #1's gradient"));
  CHECK_THAT(tape(y), !ContainsSubstring("'s gradient"));
}

TEST_CASE("An op without a second derivative throws before anything changes") {
  nn::PositionwiseFeedForward ffn(3, 5);
  const FusedOps fused;
  const Tensor y = mean(ffn(Tensor::randn({2, 3})));
  CHECK_THROWS_AS(y.backward({}, false, true), TapeError);
  CHECK(!ffn.w1.grad().defined());
  y.backward();
}
