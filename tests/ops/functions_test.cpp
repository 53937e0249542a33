#include "tests/support/test.hpp"

const OpExample of_erf("erf", stepgrad::erf, "a.erf()");
const OpExample of_exp("exp", stepgrad::exp, "a.exp()");
const OpExample of_gelu("gelu", gelu, "F.gelu(a)");
const OpExample of_gelu_tanh("gelu_tanh", gelu_tanh, "F.gelu(a, approximate='tanh')");
const OpExample of_log("log", [](Tensor x) { return log(x * x); }, "(a * a).log()", {-1, 0, 1});
const OpExample of_sigmoid("sigmoid", sigmoid, "a.sigmoid()");
const OpExample of_silu("silu", silu, "F.silu(a)");
const OpExample of_sqrt(
    "sqrt", [](Tensor x) { return sqrt(x * x + 1); }, "(a * a + 1).sqrt()");
const OpExample of_tanh("tanh", stepgrad::tanh, "a.tanh()");
const OpExample of_abs("abs", [](Tensor x) { return abs(x); }, "a.abs()", {0});
const OpExample of_relu("relu", relu, "a.relu()", {-1, 0, 1});
const OpExample of_trunc("trunc",
    [](Tensor x) {
      set_detect_nan(true);  // only then is it on the tape
      const Tensor y = x * trunc(x);
      set_detect_nan(false);
      return y;
    },
    "a * a.trunc()", {-2, -1, 0, 1, 2});

// A staircase has no slope, but the difference of two such has one.
const OpExample of_bfloat16("bfloat16", [](Tensor x) { return x + (bfloat16(x) - bfloat16(x)); },
    "a + (a.bfloat16().float() - a.bfloat16().float())", {-1, 0, 1});
const OpExample of_half(
    "half", [](Tensor x) { return x + (half(x) - half(x)); }, "a + (a.half().float() - a.half().float())", {-1, 0, 1});

// Sixteenths of the numbers lie where asin, acos and atanh are defined, and between tan's poles.
const OpExample of_sin("sin", stepgrad::sin, "a.sin()");
const OpExample of_cos("cos", stepgrad::cos, "a.cos()");
const OpExample of_tan(
    "tan", [](Tensor x) { return tan(x / 16); }, "(a / 16).tan()");
const OpExample of_asin(
    "asin", [](Tensor x) { return asin(x / 16); }, "(a / 16).asin()");
const OpExample of_acos(
    "acos", [](Tensor x) { return acos(x / 16); }, "(a / 16).acos()");
const OpExample of_atan("atan", stepgrad::atan, "a.atan()");
const OpExample of_sinh("sinh", stepgrad::sinh, "a.sinh()");
const OpExample of_cosh("cosh", stepgrad::cosh, "a.cosh()");
const OpExample of_asinh("asinh", stepgrad::asinh, "a.asinh()");
const OpExample of_acosh(
    "acosh", [](Tensor x) { return acosh(x * x + 1.5); }, "(a * a + 1.5).acosh()");
const OpExample of_atanh(
    "atanh", [](Tensor x) { return atanh(x / 16); }, "(a / 16).atanh()");
const OpExample of_log2("log2", [](Tensor x) { return log2(x * x); }, "(a * a).log2()", {-1, 0, 1});
const OpExample of_log10("log10", [](Tensor x) { return log10(x * x); }, "(a * a).log10()", {-1, 0, 1});
const OpExample of_log1p(
    "log1p", [](Tensor x) { return log1p(x * x); }, "(a * a).log1p()");
const OpExample of_exp2("exp2", stepgrad::exp2, "a.exp2()");
const OpExample of_expm1("expm1", stepgrad::expm1, "a.expm1()");
const OpExample of_erfc("erfc", stepgrad::erfc, "a.erfc()");

const OpExample of_leaky_relu(
    "leaky_relu", [](Tensor x) { return leaky_relu(x, Scalar(0.3)); }, "F.leaky_relu(a, 0.3)", {0});
const OpExample of_hardtanh(
    "hardtanh", [](Tensor x) { return hardtanh(x, -1, 4); }, "F.hardtanh(a, -1.0, 4.0)", {-1, 4});
const OpExample of_elu("elu", [](Tensor x) { return elu(x, 2); }, "F.elu(a, 2.0)", {0});
const OpExample of_softplus("softplus", [](Tensor x) { return softplus(x, 2, 2); }, "F.softplus(a, 2, 2)", {1});
