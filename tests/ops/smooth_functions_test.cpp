// The smooth functions of one number: exp, log, sqrt, tanh, erf, sigmoid, gelu, gelu_tanh and silu.
#include <span>

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

struct SmoothFunction {
  const char* name;
  Tensor (*f)(Arg);
  double (*plain)(double);
};

const std::vector<SmoothFunction> functions{
    {"exp", exp, [](double x) { return std::exp(x); }},
    {"tanh", tanh, [](double x) { return std::tanh(x); }},
    {"erf", stepgrad::erf, [](double x) { return std::erf(x); }},
    {"sigmoid", sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }},
    {"gelu", gelu, [](double x) { return x * std::erfc(-x / std::sqrt(2)) / 2; }},
    {"gelu_tanh", gelu_tanh,
     [](double x) {
       return x * (1 + std::tanh(std::sqrt(2 / 3.141592653589793) * (x + 0.044715 * x * x * x))) /
              2;
     }},
    {"silu", silu, [](double x) { return x / (1 + std::exp(-x)); }},
};

// The gradient for an upstream gradient of 2.
std::string gradient_of_two(Tensor (*f)(Arg), const Tensor& values) {
  const Tensor x = values.clone().requires_grad_();
  f(x).backward(full_like(x, 2));
  return text(x.grad());
}

}  // namespace

TEST_CASE("Each smooth function has its values and gradients, for tensors of any shape") {
  for (const SmoothFunction& function : functions) {
    INFO(function.name);
    for (const Shape& shape : some_shapes()) {
      const Tensor x = leaf(shape);
      Values expected;
      for (Scalar value : x.to_vector()) {
        expected.push_back(static_cast<Scalar>(function.plain(double{value})));
      }
      CHECK_THAT(function.f(x).to_vector(), near(expected));
      gradcheck(function.f, {x});
    }
  }
}

TEST_CASE("log and sqrt have their values and gradients above zero") {
  for (const Shape& shape : some_shapes()) {
    const Tensor x = leaf(shape);
    for (Scalar& value : std::span(x.data(), x.numel())) value = value * value + Scalar(0.1);
    gradcheck(stepgrad::log, {x});
    gradcheck(stepgrad::sqrt, {x});
  }
  CHECK_THAT(log(Tensor::of({1, 10, 0.5})).to_vector(),
             near({0, std::log(Scalar(10)), std::log(Scalar(0.5))}));
  CHECK(sqrt(Tensor::of({0, 1, 4, 6.25})).to_vector() == Values{0, 1, 2, 2.5});
}

TEST_CASE("Zeros, infinities and NaNs give PyTorch's results") {
  const Tensor x = Tensor::of({NAN, infinity, -infinity, 0, Scalar(-0.0)});
  CHECK(text(exp(x)) == "nan inf 0 1 1");
  CHECK(text(log(x)) == "nan inf nan -inf -inf");
  CHECK(text(sqrt(x)) == "nan inf nan 0 -0");
  CHECK(text(tanh(x)) == "nan 1 -1 0 -0");
  CHECK(text(sigmoid(x)) == "nan 1 0 0.5 0.5");
  CHECK(text(erf(x)) == "nan 1 -1 0 -0");
  CHECK(gradient_of_two(exp, x) == "nan inf 0 2 2");
  CHECK(gradient_of_two(log, x) == "nan 0 -0 inf -inf");
  CHECK(gradient_of_two(sqrt, x) == "nan 0 nan inf -inf");
  CHECK(gradient_of_two(tanh, x) == "nan 0 0 2 2");
  CHECK(gradient_of_two(sigmoid, x) == "nan 0 0 0.5 0.5");
}

TEST_CASE("An element that where did not choose gets gradient zero, even beside a pole") {
  const auto chosen = [](const std::function<Tensor(Tensor)>& f) {
    const Tensor x = parameter({-1, 0, 4});
    where(x > 0, f(x), 0).backward(Tensor::ones({3}));
    return text(x.grad());
  };
  CHECK(chosen([](Tensor x) { return sqrt(x); }) == "0 0 0.25");
  CHECK(chosen([](Tensor x) { return log(x); }) == "0 0 0.25");
  CHECK(chosen([](Tensor x) { return pow(x, 0.5); }) == "0 0 0.25");
}
