// Ops against PyTorch where their formula alone does not say what happens: at the edges, at ties.
#include "ops/ops.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/golden.hpp"

using namespace stepgrad;

namespace {

struct GoldenOp {
  const char* name;
  Tensor (*f)(Tensor);
};

const GoldenOp golden_ops[] = {
    {"exp", [](Tensor x) { return exp(x); }},
    {"log", [](Tensor x) { return log(x); }},
    {"sqrt", [](Tensor x) { return sqrt(x); }},
    {"tanh", [](Tensor x) { return tanh(x); }},
    {"sigmoid", [](Tensor x) { return sigmoid(x); }},
    {"erf", [](Tensor x) { return erf(x); }},
    {"gelu", [](Tensor x) { return gelu(x); }},
    {"gelu_tanh", [](Tensor x) { return gelu_tanh(x); }},
    {"silu", [](Tensor x) { return silu(x); }},
    {"softmax", [](Tensor x) { return softmax(x, 1); }},
    {"amax", [](Tensor x) { return amax(x, 1); }},
    {"amin", [](Tensor x) { return amin(x, 0, true); }},
    {"triu", [](Tensor x) { return triu(x, -1); }},
};

constexpr double op_tolerance = 2e-6;

}  // namespace

TEST_CASE("Ops of one tensor give PyTorch's values and gradients") {
  const auto expected = golden("ops");
  for (const auto& [name, f] : golden_ops) {
    INFO(name);
    const auto of = [&, &name = name](const char* what) {
      return expected.at(std::string(name) + what);
    };
    const Tensor x = of("/x").clone().requires_grad_(), y = f(x);
    y.backward(of("/dy"));
    CHECK(difference(y, of("/y")) < op_tolerance);
    CHECK(difference(x.grad(), of("/x.grad")) < op_tolerance);
  }
}

TEST_CASE("pow gives PyTorch's values and gradients, where they are infinite or NaN too") {
  const auto expected = golden("pow");
  const Tensor a = expected.at("a").clone().requires_grad_();
  const Tensor b = expected.at("b").clone().requires_grad_(), y = pow(a, b);
  y.backward(expected.at("dy"));
  CHECK(difference(y, expected.at("y")) < op_tolerance);
  CHECK(difference(a.grad(), expected.at("a.grad")) < op_tolerance);
  CHECK(difference(b.grad(), expected.at("b.grad")) < op_tolerance);
}

TEST_CASE("gelu and gelu_tanh are two functions") {
  const Scalar difference = std::abs((gelu(2) - gelu_tanh(2)).item());
  CHECK(difference > 1e-5);
  CHECK(difference < 1e-3);
}
