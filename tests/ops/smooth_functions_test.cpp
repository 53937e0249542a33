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

std::string gradient(Tensor (*f)(Arg), const Tensor& values, Scalar upstream) {
  const Tensor x = values.clone().requires_grad_();
  f(x).backward(full_like(x, upstream));
  return text(x.grad());
}

}  // namespace

TEST_CASE("Zeros, infinities and NaNs have PyTorch's gradients") {
  const Tensor x = Tensor::of({NAN, infinity, -infinity, 0, Scalar(-0.0)});
  CHECK(gradient(exp, x, 2) == "nan inf 0 2 2");
  CHECK(gradient(log, x, 2) == "nan 0 -0 inf -inf");
  CHECK(gradient(sqrt, x, 2) == "nan 0 nan inf -inf");
  CHECK(gradient(tanh, x, 2) == "nan 0 0 2 2");
  CHECK(gradient(sigmoid, x, 2) == "nan 0 0 0.5 0.5");
  CHECK(gradient(exp, x, 0) == "nan nan 0 0 0");
  CHECK(gradient(log, x, 0) == "nan 0 -0 nan nan");
  CHECK(gradient(sqrt, x, 0) == "nan 0 nan nan nan");
}
