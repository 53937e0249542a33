// Gradients of gradients.
#include "core/tape/record.hpp"
#include "core/watch/stepper.hpp"
#include "nn/positionwise_feed_forward.hpp"
#include "tests/support/test.hpp"

using namespace stepgrad;

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
    for (const Tensor& g :
         grad({sum(y * y * Tensor::randn(y.shape()))}, wanted, {.create_graph = true}))
      flat.push_back(reshape(g, {-1}));
    return concat(flat, 0);
  };
}

}  // namespace

TEST_CASE("A piecewise linear function's second derivative is 0, not undefined") {
  const Tensor x = parameter({-2., 0., infinity});
  for (Tensor (*f)(Arg) : {&relu, &stepgrad::abs}) {
    const Tensor g = grad({sum(f(x))}, {x}, {.create_graph = true})[0];
    CHECK(g.requires_grad());
    CHECK(grad({sum(g)}, {x})[0].to_vector() == Values(3, 0));
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
      std::copy_if(inputs.begin(), inputs.end(), std::back_inserter(wanted),
                   [](const Tensor& x) { return x.requires_grad(); });
      Tensor sum_of_all = Tensor::of(0);
      manual_seed(9);
      for (const Tensor& g : grad({y}, wanted, {.grad_outputs = {dY}, .create_graph = true}))
        sum_of_all = sum_of_all + sum(g * Tensor::randn(g.shape()));
      return grad({sum_of_all}, {dY})[0];
    };
    const Tensor slope = slope_at([](const Shape& shape) { return Tensor::randn(shape); });
    CHECK(allclose(slope_at([](const Shape& shape) { return Tensor::zeros(shape); }), slope,
                   1000 * epsilon, 1000 * epsilon));
  }
}

TEST_CASE("At bounds, ties and zeros a recorded gradient has the values of a plain one") {
  const Tensor x = parameter({-1., 0., -0., 1., 1., 2., 2.});
#define BORDER(f)                           \
  {                                         \
#f, of_list([](Tensor x) { return f; }) \
  }
  const std::pair<const char*, Function> borders[] = {
      BORDER(clamp(x, 0, 1)),
      BORDER(clamp(x, 1, 1)),
      BORDER((x * 1).clamp_(0, 1)),
      BORDER(relu(x)),
      BORDER(abs(x)),
      BORDER(maximum(x, 1)),
      BORDER(minimum(1, x)),
      BORDER(amax(x, 0)),
      BORDER(amin(clamp(x, 0), 0)),
      BORDER(max(x)),
      BORDER(max(x, 0).values),
      BORDER(topk(x, 3).values),
      BORDER(prod(x, 0)),
      BORDER(prod(slice(x, 0, 2, 7), 0)),
      BORDER(pow(x, 2)),
      BORDER(pow(x, x * 0)),
      BORDER(stddev(x * 0, 0)),
      BORDER(masked_fill(x, x, 3)),
      BORDER(where(x, x, x * 2)),
      BORDER(softmax(masked_fill(x, x, -infinity))),
#undef BORDER
  };
  for (const auto& [name, f] : borders) {
    INFO(name);
    const auto gradient = [&, f = f](bool recorded) {
      return text(grad({sum(f({x}) * 3)}, {x}, {.create_graph = recorded})[0]);
    };
    CHECK(gradient(true) == gradient(false));
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

TEST_CASE("Some ops have the third derivatives of central differences") {
  const std::set<std::string> some{"mul", "div", "matmul", "softmax", "gelu", "layer_norm", "tanh"};
  for (const OpExample& example : OpExample::all()) {
    if (!some.count(example.op)) continue;
    INFO(example.op);
    const Tensors inputs = example.inputs();
    gradcheck(gradients_of(gradients_of(example.f, inputs), inputs), inputs);
  }
}

TEST_CASE("A gradient can be differentiated by the one that it began with") {
  const Tensor x = parameter({1., 2., 3.}), v = Tensor::ones({3});
  v.requires_grad_();
  const Tensor g = grad({x * x}, {x}, {.grad_outputs = {v}, .create_graph = true})[0];  // 2x∘v
  CHECK(grad({sum(g)}, {v})[0].to_vector() == Values{2, 4, 6});
}

TEST_CASE("Under create_graph backward adds the same numbers, with a history") {
  manual_seed(0);
  nn::PositionwiseFeedForward ffn(3, 5);
  const Tensor x = Tensor::randn({2, 3});
  Tensors plain;
  manual_seed(1);
  mean(ffn(x)).backward();
  for (const Tensor& p : ffn.parameters()) plain.push_back(p.grad().clone());
  ffn.zero_grad();
  manual_seed(1);
  mean(ffn(x)).backward({}, false, true);
  CHECK(ffn.w1.grad().requires_grad());
  for (size_t i = 0; i < plain.size(); ++i) {
    CHECK(ffn.parameters()[i].grad().to_vector() == plain[i].to_vector());
    ffn.parameters()[i].set_grad({});
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
  CHECK(a.grad().item() == 7);
  CHECK(b.grad().item() == 5);
  CHECK_THROWS_AS(grad({h}, {b}, {.retain_graph = true}), TapeError);
  CHECK_THROWS_AS(grad({h}, {a, b}, {.retain_graph = true}), TapeError);
  CHECK(!grad({h}, {b}, {.retain_graph = true, .allow_unused = true})[0].defined());
  CHECK(b.grad().item() == 5);
  CHECK_THROWS_AS(grad({y}, {Tensor::of({1.})}), TapeError);
  CHECK_ERROR(ValueError, grad({y}, {a}, {.grad_outputs = {a, a}}),
              "grad: 2 gradients for 1 outputs");
  const Tensor unused = parameter({{1., 2.}});
  CHECK_ERROR(TapeError, grad({y}, {a, unused}, {.retain_graph = true}),
              "grad: the input of [1, 2] was not used for the outputs");
  CHECK(grad({y, h}, {b})[0].item() == 4);
  CHECK_THROWS_AS(grad({y}, {b}), TapeError);  // which has run, and kept nothing
}

TEST_CASE("grad changes no retained gradient, and creates none") {
  const Tensor a = parameter({2.}), b = parameter({3.});
  const Tensor h = a * a, k = h * b, y = k * b;
  k.retain_grad();
  CHECK(grad({y}, {h}, {.retain_graph = true})[0].item() == 9);
  CHECK_FALSE(a.grad().defined());
  CHECK_FALSE(b.grad().defined());
  CHECK_FALSE(k.grad().defined());
  CHECK_THROWS_AS(h.grad(), TapeError);  // nobody asked to retain that
  y.backward();
  CHECK(k.grad().item() == 3);
  CHECK_THROWS_AS(h.grad(), TapeError);
  CHECK(a.grad().item() == 36);
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

TEST_CASE("A second pass goes step by step like the first") {
  const Tensor x = parameter({2.});
  const Tensor g = grad({sum(x * x * x)}, {x}, {.create_graph = true})[0];
  Stepper steps(g);
  int gradients = 0, of_gradients = 0;
  while (const Node* node = steps.next()) {
    ++gradients;
    of_gradients += node->gradient_of.formula != nullptr;
  }
  CHECK(gradients > of_gradients);
  CHECK(of_gradients > 2);
  CHECK(x.grad().item() == 12);
}

TEST_CASE("An op without a second derivative throws before anything changes") {
  nn::PositionwiseFeedForward ffn(3, 5);
  const FusedOps fused;
  const Tensor y = mean(ffn(Tensor::randn({2, 3})));
  CHECK_THROWS_AS(y.backward({}, false, true), TapeError);
  CHECK(!ffn.w1.grad().defined());
  y.backward();
}

TEST_CASE("A recorded gradient is added to one that is not") {
  const Tensor x = parameter({2.});
  (x * 5).backward();
  (x * x * x).backward({}, false, true);
  CHECK(x.grad().item() == 5 + 12);
  CHECK(grad({x.grad()}, {x})[0].item() == 12);  // 6x
  x.set_grad({});
}

namespace {

struct ThrowsBackward final : Node {
  static constexpr Formula formula{"throws", "Y = X", "none"};
  ThrowsBackward() : Node(formula) {}
  void backward(Tensor) override { throw std::runtime_error("thrown"); }
  bool has_second_gradient() const override { return true; }
  Input x{this};
};

}  // namespace

TEST_CASE("After a backward function that threw, ops are recorded as usual") {
  const Tensor x = parameter({2.});
  const Tensor y = on_tape(x.copied(), record<ThrowsBackward>(Arg(x)));
  CHECK_THROWS_AS(y.backward({}, false, true), std::runtime_error);
  CHECK(!(x * 2).node()->gradient_of.formula);
}
