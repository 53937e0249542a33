// Functions of one number, and the row kernels built on them: every vector table against the
// scalar one, and the scalar one against the formula in long double.
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "core/kernels/table.hpp"
#include "tests/catch.hpp"

using namespace stepgrad;
using namespace stepgrad::kernels;

namespace {

using Floats = std::vector<float>;

std::vector<const Table*> vector_tables() {
  std::vector<const Table*> found;
  for (const char* name : {"sse2", "avx2", "avx512", "neon"}) {
    if (const Table* t = find_table(name)) found.push_back(t);
  }
  return found;
}

const Table& scalar() { return *find_table("scalar"); }

const float inf = std::numeric_limits<float>::infinity();
const float NaN = std::numeric_limits<float>::quiet_NaN();

// Zeros, infinities, a NaN, tiny and huge numbers, and [-12, 12] in small steps.
Floats arguments() {
  Floats x{0, -0.f, inf, -inf, NaN, 1e-40f, -1e-40f, 1e-20f, 3e38f, -3e38f, 88.8f, -104.5f};
  for (int i = -1201; i <= 1200; ++i) x.push_back(static_cast<float>(i) / 100);
  return x;
}

Floats random_floats(size_t n, unsigned seed, float size) {
  std::mt19937 bits(seed);
  std::uniform_real_distribution<float> uniform(-size, size);
  Floats x(n);
  for (float& v : x) v = uniform(bits);
  return x;
}

// The same NaN, infinity or number but for a few of the last digits.
bool close(float a, float b, float relative, float absolute) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (a == b) return true;
  return std::fabs(a - b) <= relative * std::fabs(b) + absolute;
}

void check_close(const Floats& got, const Floats& want, float relative, float absolute = 0) {
  REQUIRE(got.size() == want.size());
  for (size_t i = 0; i < want.size(); ++i) {
    if (close(got[i], want[i], relative, absolute)) continue;
    CAPTURE(i, got[i], want[i]);  // only here: to write down a million takes a minute
    FAIL("not close");
  }
}

using Exact = long double (*)(long double);

const long double pi = std::numbers::pi_v<long double>;
long double cdf(long double x) { return std::erfc(-x / std::sqrt(2.0L)) / 2; }
long double pdf(long double x) { return std::exp(-x * x / 2) / std::sqrt(2 * pi); }
long double sigma(long double x) { return 1 / (1 + std::exp(-x)); }
long double twice_u(long double x) { return 2 * std::sqrt(2 / pi) * (x + 0.044715L * x * x * x); }
long double tanh_cdf(long double x) { return sigma(twice_u(x)); }
long double tanh_slope(long double x) {
  const long double slope = 2 * std::sqrt(2 / pi) * (1 + 0.134145L * x * x);
  return tanh_cdf(x) * (1 + x * sigma(-twice_u(x)) * slope);
}

struct Function {
  const char* name;
  Unary Table::*kernel;
  Exact exact;
};
const Function functions[] = {
    {"exp", &Table::exp, [](long double x) { return std::exp(x); }},
    {"log", &Table::log, [](long double x) { return std::log(x); }},
    {"sqrt", &Table::sqrt, [](long double x) { return std::sqrt(x); }},
    {"tanh", &Table::tanh, [](long double x) { return std::tanh(x); }},
    {"sigmoid", &Table::sigmoid, sigma},
    {"erf", &Table::erf, [](long double x) { return std::erf(x); }},
    {"gelu", &Table::gelu, [](long double x) { return x * cdf(x); }},
    {"gelu_tanh", &Table::gelu_tanh, [](long double x) { return x * tanh_cdf(x); }},
    {"silu", &Table::silu, [](long double x) { return x * sigma(x); }},
};

struct Slope {
  const char* name;
  UnaryGrad Table::*kernel;
  Exact exact;
};
const Slope slopes[] = {
    {"gelu_grad", &Table::gelu_grad, [](long double x) { return cdf(x) + x * pdf(x); }},
    {"gelu_tanh_grad", &Table::gelu_tanh_grad, tanh_slope},
    {"silu_grad", &Table::silu_grad,
     [](long double x) { return sigma(x) * (1 + x * (1 - sigma(x))); }},
};

Floats run(const Table& t, Unary Table::*kernel, const Floats& x) {
  Floats y(x.size());
  (t.*kernel)(static_cast<int64_t>(x.size()), x.data(), y.data());
  return y;
}

Floats run(const Table& t, UnaryGrad Table::*kernel, const Floats& dy, const Floats& x) {
  Floats dx(x.size());
  (t.*kernel)(static_cast<int64_t>(x.size()), dy.data(), x.data(), dx.data());
  return dx;
}

}  // namespace

TEST_CASE("the scalar functions and their slopes follow their formulas on [-12, 12]") {
  Floats x = arguments();
  x.erase(x.begin(), x.begin() + 12);
  for (const Function& f : functions) {
    CAPTURE(f.name);
    Floats want;
    for (float v : x) want.push_back(static_cast<float>(f.exact(v)));
    check_close(run(scalar(), f.kernel, x), want, 2e-6f, 1e-7f);
  }
  for (const Slope& f : slopes) {
    CAPTURE(f.name);
    Floats want;
    for (float v : x) want.push_back(-2 * static_cast<float>(f.exact(v)));
    check_close(run(scalar(), f.kernel, Floats(x.size(), -2), x), want, 2e-6f, 3e-7f);
  }
}

namespace {

// The error in units in the last place of the exact result: 2^-149 below the normal numbers.
long double ulps(float got, long double exact) {
  if (std::isnan(got) || std::isnan(exact)) return std::isnan(got) && std::isnan(exact) ? 0 : inf;
  if (static_cast<float>(exact) == got) return 0;
  int exponent = -200;
  if (exact != 0) std::frexp(exact, &exponent);
  const long double got_or_huge = std::isinf(got) ? std::copysign(0x1p128L, got) : got;
  return std::fabs(got_or_huge - exact) / std::ldexp(1.0L, std::max(exponent - 24, -149));
}

// All kinds of floats: every 4099th, and [-16, 16) densely.
Floats sweep() {
  Floats x{0.f, -0.f, inf, -inf, NaN, 1e-45f, -1e-45f, 1e-40f, 3.4e38f, -3.4e38f};
  for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 4099) {
    const auto word = static_cast<uint32_t>(bits);
    float v;
    std::memcpy(&v, &word, sizeof v);
    x.push_back(v);
  }
  for (int i = -16000; i < 16000; ++i) x.push_back(static_cast<float>(i) * 0.0010001f);
  return x;
}

}  // namespace

TEST_CASE("the vector functions are within 4 ulp over the whole range of floats") {
  const Floats x = sweep();
  for (const Function& f : functions) {
    std::vector<long double> exact;
    for (float v : x) exact.push_back(f.exact(v));
    for (const Table* t : vector_tables()) {
      const bool no_fma = std::string(t->name) == "sse2";
      const Floats y = run(*t, f.kernel, x);
      for (size_t i = 0; i < x.size(); ++i) {
        if (ulps(y[i], exact[i]) <= (no_fma ? 4.4L : 4)) continue;
        CAPTURE(t->name, f.name, x[i], y[i], exact[i]);
        FAIL("not within 4 ulp");
      }
    }
  }
}

TEST_CASE("the slopes of the vector functions are within 4 ulp, or 3e-7 near a zero") {
  const Floats x = sweep(), one(x.size(), 1);
  for (const Slope& f : slopes) {
    std::vector<long double> exact;
    for (float v : x) exact.push_back(f.exact(v));
    for (const Table* t : vector_tables()) {
      const Floats y = run(*t, f.kernel, one, x);
      for (size_t i = 0; i < x.size(); ++i) {
        if (std::isinf(x[i]) || ulps(y[i], exact[i]) <= 4) continue;
        if (std::fabs(y[i] - exact[i]) < 3e-7L) continue;
        CAPTURE(t->name, f.name, x[i], y[i], exact[i]);
        FAIL("neither");
      }
    }
  }
}

TEST_CASE("the vector functions agree with the scalar ones about infinities and NaN") {
  const Floats x{inf, -inf, NaN}, dy(3, 1);
  for (const Table* t : vector_tables()) {
    for (const Function& f : functions) {
      CAPTURE(t->name, f.name);
      check_close(run(*t, f.kernel, x), run(scalar(), f.kernel, x), 0);
    }
    check_close(run(*t, &Table::gelu_grad, dy, x), run(scalar(), &Table::gelu_grad, dy, x), 0);
    check_close(run(*t, &Table::silu_grad, dy, x), run(scalar(), &Table::silu_grad, dy, x), 0);
  }
}

TEST_CASE("trunc, bfloat16 and half give the same bits in every table, for all kinds of numbers") {
  Floats x = arguments();
  std::mt19937 random(2);
  for (int i = 0; i < 100000; ++i) {
    const auto bits = static_cast<uint32_t>(random());
    float v;
    std::memcpy(&v, &bits, sizeof v);
    x.push_back(v);
    x.push_back(std::ldexp(std::round(std::ldexp(v, 26)), -26));  // around the smallest halves
  }
  for (const Table* t : vector_tables()) {
    CAPTURE(t->name);
    check_close(run(*t, &Table::trunc, x), run(scalar(), &Table::trunc, x), 0);
    check_close(run(*t, &Table::bfloat16, x), run(scalar(), &Table::bfloat16, x), 0);
    check_close(run(*t, &Table::half, x), run(scalar(), &Table::half, x), 0);
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

TEST_CASE("pow is within 1 ulp for every broadcast, and follows C for special numbers") {
  Floats a = arguments(), p{-2, -1, -0.5f, -0.f, 0, 0.5f, 1, 2, 3, 7, 8, 1e9f, -3e9f, 16777215};
  p.insert(p.end(), {inf, -inf, NaN, 0.1f, -2.7f, 41.3f, 1e-30f});
  a.insert(a.end(), {1, -1, 0.99999994f, 1.0000001f, -8388609, 5e-39f, inf, -inf, NaN});
  Strides s;
  s.dims = 2;
  s.size[0] = static_cast<int64_t>(a.size()), s.size[1] = static_cast<int64_t>(p.size());
  s.a[0] = 1, s.b[1] = 1;
  Floats got(a.size() * p.size());
  for (const Table* t : vector_tables()) {
    t->pow(s, a.data(), p.data(), got.data());
    for (size_t i = 0; i < got.size(); ++i) {
      const float base = a[i / p.size()], power = p[i % p.size()];
      const long double exact = std::pow(static_cast<long double>(base), power);
      if (ulps(got[i], exact) <= 1 && (got[i] != 0 || std::signbit(got[i]) == std::signbit(exact)))
        continue;
      CAPTURE(t->name, base, power, got[i], exact);
      FAIL("not within 1 ulp");
    }
  }
}

TEST_CASE("softmax is within 4 ulp, and log_softmax, too, but for results near 0") {
  const int64_t rows = 40;
  for (const int64_t n : {1, 7, 100, 2000}) {
    const Floats x = random_floats(static_cast<size_t>(rows * n), 6, 30);
    Floats y(x.size()), log_y(x.size());
    for (const Table* t : vector_tables()) {
      t->softmax(rows, n, x.data(), y.data());
      t->log_softmax(rows, n, x.data(), log_y.data());
      long double most = 0, log_most = 0;
      for (int64_t r = 0; r < rows; ++r) {
        long double total = 0;
        for (int64_t c = 0; c < n; ++c) total += std::exp(static_cast<long double>(x[r * n + c]));
        for (int64_t i = r * n; i < (r + 1) * n; ++i) {
          const long double v = x[i], exact = v - std::log(total);
          most = std::max(most, ulps(y[i], std::exp(v) / total));
          if (std::fabs(log_y[i] - exact) < 2e-7L) continue;
          log_most = std::max(log_most, ulps(log_y[i], exact));
        }
      }
      CAPTURE(t->name, n);
      CHECK(most <= 4);
      CHECK(log_most <= 4);
    }
  }
}

TEST_CASE("where chooses, and what is not chosen may be a NaN") {
  for (size_t n : {0, 1, 7, 33, 40000}) {
    Floats mask = random_floats(n, 3, 1), a = random_floats(n, 4, 1), b(n, NaN), got(n, 9);
    for (size_t i = 0; i < n; i += 2) mask[i] = i % 4 ? 0.f : -0.f;
    for (const Table* t : vector_tables()) {
      t->where(static_cast<int64_t>(n), mask.data(), a.data(), b.data(), got.data());
      for (size_t i = 0; i < n; ++i) REQUIRE(close(got[i], i % 2 ? a[i] : NaN, 0, 0));
    }
  }
}

TEST_CASE("amax agrees with the scalar one bit by bit, and a NaN wins") {
  const int64_t shapes[][3] = {{1, 1, 1}, {3, 17, 1}, {2, 100, 1}, {4, 5, 33}, {1, 300, 200}};
  for (const auto& [outer, n, inner] : shapes) {
    Floats x = random_floats(static_cast<size_t>(outer * n * inner), 5, 3);
    if (x.size() > 100) x[70] = NaN, x[3] = -inf, x[4] = inf;
    Floats want(static_cast<size_t>(outer * inner)), got = want;
    for (const Table* t : vector_tables()) {
      CAPTURE(t->name, outer, n, inner);
      scalar().amax(outer, n, inner, x.data(), want.data());
      t->amax(outer, n, inner, x.data(), got.data());
      check_close(got, want, 0);
    }
  }
}

TEST_CASE("softmax, normalize and their gradients agree with the scalar ones") {
  const int64_t shapes[][2] = {{0, 5}, {1, 1}, {3, 17}, {5, 64}, {200, 333}};
  for (const auto& [rows, n] : shapes) {
    const auto size = static_cast<size_t>(rows * n);
    Floats x = random_floats(size, 6, 20), dy = random_floats(size, 7, 1);
    if (n > 2 && rows > 2) std::fill_n(x.begin(), n, -1e9f), x[static_cast<size_t>(n)] = -1e9f;
    for (const Table* t : vector_tables()) {
      CAPTURE(t->name, rows, n);
      Floats y(size), dx(size), got(size), rstd(static_cast<size_t>(rows)), got_rstd = rstd;
      scalar().softmax(rows, n, x.data(), y.data());
      t->softmax(rows, n, x.data(), got.data());
      check_close(got, y, 1e-5f);
      scalar().softmax_grad(rows, n, dy.data(), y.data(), dx.data());
      t->softmax_grad(rows, n, dy.data(), y.data(), got.data());
      check_close(got, dx, 1e-5f, 1e-6f);
      x = random_floats(size, 8, 20);
      scalar().normalize(rows, n, 1e-5f, x.data(), y.data(), rstd.data());
      t->normalize(rows, n, 1e-5f, x.data(), got.data(), got_rstd.data());
      check_close(got, y, 1e-5f, 1e-6f);
      check_close(got_rstd, rstd, 1e-5f);
      scalar().normalize_grad(rows, n, dy.data(), y.data(), rstd.data(), dx.data());
      t->normalize_grad(rows, n, dy.data(), y.data(), rstd.data(), got.data());
      check_close(got, dx, 1e-4f, 1e-6f);
    }
  }
}
