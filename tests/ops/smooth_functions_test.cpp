// The smooth functions of one number: exp, log, sqrt, tanh, erf, sigmoid, gelu, gelu_tanh and silu.
#include "tests/support/test.hpp"

using namespace stepgrad;

const OpExample example_of_erf("erf", stepgrad::erf, "a.erf()");
const OpExample example_of_exp("exp", stepgrad::exp, "a.exp()");
const OpExample example_of_gelu("gelu", gelu, "F.gelu(a)");
const OpExample example_of_gelu_tanh("gelu_tanh", gelu_tanh, "F.gelu(a, approximate='tanh')");
const OpExample example_of_log("log", [](Tensor x) { return log(x * x); }, "(a * a).log()",
                               {-1, 0, 1});
const OpExample example_of_sigmoid("sigmoid", sigmoid, "a.sigmoid()");
const OpExample example_of_silu("silu", silu, "F.silu(a)");
const OpExample example_of_sqrt(
    "sqrt", [](Tensor x) { return sqrt(x * x + 1); }, "(a * a + 1).sqrt()");
const OpExample example_of_tanh("tanh", stepgrad::tanh, "a.tanh()");

namespace {

// The gradient for an upstream gradient of 2.
std::string gradient_of_two(Tensor (*f)(Arg), const Tensor& values) {
  const Tensor x = values.clone().requires_grad_();
  f(x).backward(full_like(x, 2));
  return text(x.grad());
}

}  // namespace

TEST_CASE("Zeros, infinities and NaNs have PyTorch's gradients") {
  const Tensor x = Tensor::of({NAN, infinity, -infinity, 0, Scalar(-0.0)});
  CHECK(gradient_of_two(exp, x) == "nan inf 0 2 2");
  CHECK(gradient_of_two(log, x) == "nan 0 -0 inf -inf");
  CHECK(gradient_of_two(sqrt, x) == "nan 0 nan inf -inf");
  CHECK(gradient_of_two(tanh, x) == "nan 0 0 2 2");
  CHECK(gradient_of_two(sigmoid, x) == "nan 0 0 0.5 0.5");
}

TEST_CASE("An element that where did not choose gets gradient zero, even beside a pole") {
  const auto chosen = [](const std::function<Tensor(Tensor)>& f) {
    const Tensor x = parameter({-1, 0, 4}), y = where(x > 0, f(x), 0);
    y.backward(Tensor::ones({3}), true);
    const Tensor recorded = grad({sum(y)}, {x}, {.create_graph = true})[0];
    return text(x.grad()) + ", " + text(grad({sum(recorded)}, {x})[0]);
  };
  CHECK(chosen([](Tensor x) { return sqrt(x); }) == "0 0 0.25, 0 0 -0.03125");
  CHECK(chosen([](Tensor x) { return log(x); }) == "0 0 0.25, -0 0 -0.0625");
  CHECK(chosen([](Tensor x) { return pow(x, 0.5); }) == "0 0 0.25, 0 0 -0.03125");
}

TEST_CASE(
    "Logarithms have PyTorch's slopes below and just above 0, also for no upstream gradient") {
  const auto check = [](Tensor (*f)(Arg), double of_one) {
    const Tensor x = parameter({-2, 2, 1e-30}), w = parameter({0, 0, 0});
    const Tensor g = grad({sum(f(x) * w)}, {x}, {.create_graph = true})[0];
    const Tensor slopes = grad({sum(g)}, {w}, {.retain_graph = true})[0];
    CHECK(allclose(slopes * x, full_like(x, of_one)));
    CHECK(grad({sum(g)}, {x})[0].to_vector() == Values(3, 0));
  };
  check(log, 1), check(log2, 1 / std::log(2.)), check(log10, 1 / std::log(10.));
}
