// Functions of one number: every vector table against the scalar one, and the scalar one against
// the formula in double.
#include <numbers>

#include "tests/kernels/kernels.hpp"

namespace {

// Zeros, infinities, a NaN, tiny and huge numbers, and [-12, 12] in small steps.
Floats arguments() {
  Floats x{0, -0.f, inf, -inf, NaN, 1e-40f, -1e-40f, 1e-20f, 3e38f, -3e38f, 88.8f, -104.5f};
  for (int i = -1201; i <= 1200; ++i) x.push_back(float(i) / 100);
  return x;
}

using Exact = double (*)(double);

const double pi = std::numbers::pi_v<double>;
double cdf(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }
double pdf(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * pi); }
double sigma(double x) { return 1 / (1 + std::exp(-x)); }
double twice_u(double x) { return 2 * std::sqrt(2 / pi) * (x + 0.044715 * x * x * x); }
double tanh_cdf(double x) { return sigma(twice_u(x)); }
double tanh_slope(double x) {
  const double slope = 2 * std::sqrt(2 / pi) * (1 + 0.134145 * x * x);
  return tanh_cdf(x) * (1 + x * sigma(-twice_u(x)) * slope);
}

struct Function {
  const char* name;
  Unary Table::*kernel;
  Exact exact;
};
const Function functions[] = {
    {"exp", &Table::exp, [](double x) { return std::exp(x); }},
    {"log", &Table::log, [](double x) { return std::log(x); }},
    {"sqrt", &Table::sqrt, [](double x) { return std::sqrt(x); }},
    {"tanh", &Table::tanh, [](double x) { return std::tanh(x); }},
    {"sigmoid", &Table::sigmoid, sigma},
    {"erf", &Table::erf, [](double x) { return std::erf(x); }},
    {"gelu", &Table::gelu, [](double x) { return x * cdf(x); }},
    {"gelu_tanh", &Table::gelu_tanh, [](double x) { return x * tanh_cdf(x); }},
    {"silu", &Table::silu, [](double x) { return x * sigma(x); }},
};

struct Slope {
  const char* name;
  UnaryGrad Table::*kernel;
  Exact exact;
};
const Slope slopes[] = {
    {"gelu_grad", &Table::gelu_grad, [](double x) { return cdf(x) + x * pdf(x); }},
    {"gelu_tanh_grad", &Table::gelu_tanh_grad, tanh_slope},
    {"silu_grad", &Table::silu_grad, [](double x) { return sigma(x) * (1 + x * (1 - sigma(x))); }},
};

Floats run(const Table& t, Unary Table::*kernel, const Floats& x) {
  Floats y(x.size());
  (t.*kernel)(std::ssize(x), x.data(), y.data());
  return y;
}

Floats run(const Table& t, UnaryGrad Table::*kernel, const Floats& dy, const Floats& x) {
  Floats dx(x.size());
  (t.*kernel)(std::ssize(x), dy.data(), x.data(), dx.data());
  return dx;
}

}

TEST_CASE("the scalar functions and their slopes follow their formulas on [-12, 12]") {
  Floats x = arguments();
  x.erase(x.begin(), x.begin() + 12);
  for (const Function& f : functions) {
    CAPTURE(f.name);
    Floats want;
    for (float v : x) want.push_back(float(f.exact(v)));
    check_close(run(scalar(), f.kernel, x), want, 2e-6f, 1e-7f);
  }
  for (const Slope& f : slopes) {
    CAPTURE(f.name);
    Floats want;
    for (float v : x) want.push_back(-2 * float(f.exact(v)));
    check_close(run(scalar(), f.kernel, Floats(x.size(), -2), x), want, 2e-6f, 3e-7f);
  }
}

namespace {

// All kinds of floats: every 4099th, [-16, 16) densely, and all of [-11, -10.875] and [-1, -0.99].
Floats sweep() {
  Floats x{0.f, -0.f, inf, -inf, NaN, 1e-45f, -1e-45f, 1e-40f, 3.4e38f, -3.4e38f};
  for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 4099) {
    const auto word = uint32_t(bits);
    float v;
    std::memcpy(&v, &word, sizeof v);
    x.push_back(v);
  }
  for (int i = -16000; i < 16000; ++i) x.push_back(float(i) * 0.0010001f);
  for (float v = -11; v <= -10.875f; v = std::nextafter(v, 0.f)) x.push_back(v);
  for (float v = -1; v <= -0.99f; v = std::nextafter(v, 0.f)) x.push_back(v);
  return x;
}

}

TEST_CASE("the vector functions are within 4 ulp over the whole range of floats, gelu within 6") {
  const Floats x = sweep();
  for (const Function& f : functions) {
    std::vector<double> exact;
    for (float v : x) exact.push_back(f.exact(v));
    for (const Table* t : vector_tables()) {
      const bool no_fma = std::string(t->name) == "sse2";
      const double most = f.name == std::string("gelu") ? 6 : no_fma ? 4.4 : 4;
      const Floats y = run(*t, f.kernel, x);
      for (size_t i = 0; i < x.size(); ++i) {
        if (ulps(y[i], exact[i]) <= most) continue;
        CAPTURE(t->name, f.name, x[i], y[i], exact[i], most);
        FAIL("not within so many ulp");
      }
    }
  }
}

TEST_CASE("the slopes of every table are NaN at an infinity, and 0 or 1 at the largest floats") {
  for (const Slope& f : slopes) {
    for (const Table* t : all_tables()) {
      CAPTURE(f.name, t->name);
      const Floats y = run(*t, f.kernel, Floats(6, 1), {inf, -inf, 1e20f, -1e20f, 3.4e38f, -3.4e38f});
      CHECK(std::isnan(y[0]));
      CHECK(std::isnan(y[1]));
      CHECK(Floats(y.begin() + 2, y.end()) == Floats{1, 0, 1, 0});
    }
  }
}

TEST_CASE("the slopes of the vector functions are within 4 ulp, or 3e-7 near a zero") {
  const Floats x = sweep(), one(x.size(), 1);
  for (const Slope& f : slopes) {
    std::vector<double> exact;
    for (float v : x) exact.push_back(f.exact(v));
    for (const Table* t : vector_tables()) {
      const Floats y = run(*t, f.kernel, one, x);
      for (size_t i = 0; i < x.size(); ++i) {
        if (ulps(y[i], exact[i]) <= 4) continue;
        if (std::fabs(y[i] - exact[i]) < 3e-7) continue;
        CAPTURE(t->name, f.name, x[i], y[i], exact[i]);
        FAIL("neither");
      }
    }
  }
}

TEST_CASE("the gradients of sigmoid and tanh follow their formulas in every table") {
  Floats dy, v;
  for (const float d : {0.f, -0.f, 1.f, -3.f})
    for (int i = -100; i <= 100; ++i) dy.push_back(d), v.push_back(float(i) / 100);
  dy.insert(dy.end(), {1, 0, inf, NaN}), v.insert(v.end(), {NaN, NaN, 0.5f, 0.5f});
  Floats sigmoid, tanh;
  for (size_t i = 0; i < v.size(); ++i) {
    sigmoid.push_back(dy[i] * v[i] * (1 - v[i]));
    tanh.push_back(dy[i] * (1 - v[i] * v[i]));
  }
  for (const Table* t : all_tables()) {
    CAPTURE(t->name);
    check_close(run(*t, &Table::sigmoid_grad, dy, v), sigmoid, 1e-6f, 1e-6f);
    check_close(run(*t, &Table::tanh_grad, dy, v), tanh, 1e-6f, 1e-6f);
  }
}

TEST_CASE("trunc, bfloat16 and half give the same bits in every table, for all kinds of numbers") {
  Floats x = arguments();
  std::mt19937 random(2);
  for (int i = 0; i < 100000; ++i) {
    const auto bits = uint32_t(random());
    float v;
    std::memcpy(&v, &bits, sizeof v);
    x.push_back(v);
    x.push_back(std::ldexp(std::round(std::ldexp(v, 26)), -26));  // around the smallest halves
  }
  for (const auto kernel : {&Table::trunc, &Table::bfloat16, &Table::half}) {
    const Floats want = run(scalar(), kernel, x);
    for (const Table* t : vector_tables()) {
      CAPTURE(t->name);
      const Floats got = run(*t, kernel, x);
      for (size_t i = 0; i < x.size(); ++i) REQUIRE(ulps(got[i], want[i]) == 0);
    }
  }
}

TEST_CASE("a half has 11 bits and a bfloat16 has 8, ties go to even, and too large is infinite") {
  const auto half = [](float x) { return run(scalar(), &Table::half, {x})[0]; };
  const auto bfloat16 = [](float x) { return run(scalar(), &Table::bfloat16, {x})[0]; };
  CHECK(half(2049) == 2048);
  CHECK(half(2051) == 2052);
  CHECK(half(65504) == 65504);
  CHECK(half(65519) == 65504);
  CHECK(half(65520) == inf);
  CHECK(half(-1e9f) == -inf);
  CHECK(half(0x1p-24f) == 0x1p-24f);
  CHECK(half(0x1p-25f) == 0);
  CHECK(half(0x1.8p-24f) == 0x1p-23f);
  CHECK(std::signbit(half(-1e-20f)));
  CHECK(bfloat16(257) == 256);
  CHECK(bfloat16(259) == 260);
  CHECK(bfloat16(0.1f) == 0.10009765625f);
  CHECK(bfloat16(3.4e38f) == inf);
  CHECK(bfloat16(-1e-40f) == -1e-40f * 0 - 0x1p-133f);
}

TEST_CASE("pow is within 1 ulp, and follows C for special numbers") {
  Floats a = arguments(), p{-2, -1, -0.5f, -0.f, 0, 0.5f, 1, 2, 3, 7, 8, 1e9f, -3e9f, 16777215};
  p.insert(p.end(), {inf, -inf, NaN, 0.1f, -2.7f, 41.3f, 1e-30f});
  a.insert(a.end(), {1, -1, 0.99999994f, 1.0000001f, -8388609, 5e-39f, inf, -inf, NaN});
  const auto across = std::ssize(p);
  const Strides s = strides({std::ssize(a), across}, {1, 0}, {0, 1});
  Floats got(a.size() * p.size());
  for (const Table* t : vector_tables()) {
    t->pow(s, a.data(), p.data(), got.data());
    for (size_t i = 0; i < got.size(); ++i) {
      const float base = a[i / p.size()], power = p[i % p.size()];
      const double exact = std::pow(double(base), power);
      if (ulps(got[i], exact) <= 1) continue;
      CAPTURE(t->name, base, power, got[i], exact);
      FAIL("not within 1 ulp");
    }
  }
}
