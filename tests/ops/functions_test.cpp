#include "tests/support/test.hpp"

using namespace stepgrad;

// Sixteenths of the numbers lie where asin, acos and atanh are defined, and between tan's poles.
const OpExample example_of_sin("sin", stepgrad::sin, "a.sin()");
const OpExample example_of_cos("cos", stepgrad::cos, "a.cos()");
const OpExample example_of_tan(
    "tan", [](Tensor x) { return tan(x / 16); }, "(a / 16).tan()");
const OpExample example_of_asin(
    "asin", [](Tensor x) { return asin(x / 16); }, "(a / 16).asin()");
const OpExample example_of_acos(
    "acos", [](Tensor x) { return acos(x / 16); }, "(a / 16).acos()");
const OpExample example_of_atan("atan", stepgrad::atan, "a.atan()");
const OpExample example_of_sinh("sinh", stepgrad::sinh, "a.sinh()");
const OpExample example_of_cosh("cosh", stepgrad::cosh, "a.cosh()");
const OpExample example_of_asinh("asinh", stepgrad::asinh, "a.asinh()");
const OpExample example_of_acosh(
    "acosh", [](Tensor x) { return acosh(x * x + 1.5); }, "(a * a + 1.5).acosh()");
const OpExample example_of_atanh(
    "atanh", [](Tensor x) { return atanh(x / 16); }, "(a / 16).atanh()");
const OpExample example_of_log2("log2", [](Tensor x) { return log2(x * x); }, "(a * a).log2()",
                                {-1, 0, 1});
const OpExample example_of_log10("log10", [](Tensor x) { return log10(x * x); }, "(a * a).log10()",
                                 {-1, 0, 1});
const OpExample example_of_log1p(
    "log1p", [](Tensor x) { return log1p(x * x); }, "(a * a).log1p()");
const OpExample example_of_exp2("exp2", stepgrad::exp2, "a.exp2()");
const OpExample example_of_expm1("expm1", stepgrad::expm1, "a.expm1()");
const OpExample example_of_erfc("erfc", stepgrad::erfc, "a.erfc()");

const OpExample example_of_leaky_relu("leaky_relu",
                                      [](Tensor x) { return leaky_relu(x, Scalar(0.3)); },
                                      "F.leaky_relu(a, 0.3)", {0});
const OpExample example_of_hardtanh("hardtanh", [](Tensor x) { return hardtanh(x, -1, 2.25); },
                                    "F.hardtanh(a, -1.0, 2.25)", {-1, 2.25});
const OpExample example_of_elu("elu", [](Tensor x) { return elu(x, 2); }, "F.elu(a, 2.0)", {0});
const OpExample example_of_softplus("softplus", [](Tensor x) { return softplus(x, 2, 1); },
                                    "F.softplus(a, 2, 1)", {0.5});

TEST_CASE("Bounds are PyTorch's: reached exactly, crossed, and beyond which nothing arrives") {
  CHECK(text(softplus(Tensor::of({1}), 2, 2)) == "1.06346");
  CHECK(text(hardtanh(Tensor::of({-2, 0, 2, NAN}), 1, -1)) == "-1 -1 -1 nan");
  const Tensor x = parameter({-1, 3, 7});
  hardtanh(x, 0, 6).backward(Tensor::of({infinity, 1, NAN}));
  CHECK(text(x.grad()) == "0 1 0");
}

TEST_CASE("floor, ceil and sign are steps, through which no gradient goes") {
  const Tensor x = Tensor::of({1.5, -1.5, 2, -0.5, 0, Scalar(-0.0), NAN, infinity, -infinity});
  CHECK(text(floor(x)) == "1 -2 2 -1 0 -0 nan inf -inf");
  CHECK(text(ceil(x)) == "2 -1 2 -0 0 -0 nan inf -inf");
  CHECK(text(sign(x)) == "1 -1 1 -1 0 0 0 1 -1");
  for (Tensor (*step)(Arg) : {&stepgrad::floor, &stepgrad::ceil, &sign})
    CHECK_FALSE(step(leaf({2})).requires_grad());
}
