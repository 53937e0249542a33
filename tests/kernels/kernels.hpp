#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "core/kernels/table.hpp"
#include "core/kernels/threads.hpp"
#include "tests/support/catch.hpp"

// What the tests of kernels share: every vector table is held against the scalar one, which is the
// specification.
namespace stepgrad::kernels {

using Floats = std::vector<float>;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float NaN = std::numeric_limits<float>::quiet_NaN();

// The vector tables that this machine runs.
inline std::vector<const Table*> vector_tables() {
  std::vector<const Table*> found;
  for (const char* name : {"sse2", "avx2", "avx512", "neon"}) {
    if (const Table* t = find_table(name)) found.push_back(t);
  }
  return found;
}

inline const Table& scalar() { return *find_table("scalar"); }

inline std::vector<const Table*> all_tables() {
  std::vector<const Table*> tables = vector_tables();
  tables.push_back(&scalar());
  return tables;
}

// Uniform in [-size, size].
inline Floats random_floats(int64_t n, unsigned seed, float size = 2) {
  std::mt19937 bits(seed);
  std::uniform_real_distribution<float> uniform(-size, size);
  Floats x(n);
  for (float& v : x) v = uniform(bits);
  return x;
}

// What f(y) writes into n NaNs at y, which lies `shift` floats behind the beginning of a cache
// line.
Floats written(int64_t n, int shift, const auto& f) {
  struct alignas(64) Line {
    float at[16];
  };
  std::vector<Line> lines(n / 16 + 2);
  float* y = reinterpret_cast<float*>(lines.data()) + shift;
  std::fill_n(y, n, NaN);
  f(y);
  return Floats(y, y + n);
}

// Equal bit by bit, NaNs included.
inline bool same_bits(const Floats& a, const Floats& b) {
  if (a.empty()) return b.empty();
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

inline float largest_difference(const Floats& a, const Floats& b) {
  float most = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const float d = std::fabs(a[i] - b[i]);
    if (!(d <= most)) most = d;  // a NaN too
  }
  return most;
}

inline Strides strides(std::vector<int64_t> size, std::vector<int64_t> a, std::vector<int64_t> b) {
  Strides s;
  s.dims = int(size.size());
  for (size_t d = 0; d < size.size(); ++d) {
    s.size[d] = size[d];
    s.a[d] = a[d];
    s.b[d] = b[d];
  }
  return s;
}

inline int64_t count(const Strides& s) {
  int64_t n = 1;
  for (int d = 0; d < s.dims; ++d) n *= s.size[d];
  return n;
}

// Leaves infinities in the working memory of products of that form, of few rows and of many.
inline void spoil_memory(Product product) {
  const int64_t k = 600, n = 70;
  const Floats x(150 * k, inf);
  for (const int64_t m : {3, 150}) {
    Floats y(m * n);
    product(Products{m, n, k}, x.data(), x.data(), y.data());
  }
}

// Runs f for 1, 2, 3 and 8 threads; whether all its results are the same, bit by bit.
bool same_for_any_threads(auto f) {
  set_num_threads(1);
  const Floats alone = f();
  bool same = true;
  for (int threads : {2, 3, 8}) {
    set_num_threads(threads);
    same = same && same_bits(alone, f());
  }
  set_num_threads(2);
  return same;
}

// The same NaN or infinity, or numbers equal up to the last few digits.
inline bool close(float a, float b, float relative, float absolute) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (a == b) return true;
  return std::fabs(a - b) <= relative * std::fabs(b) + absolute;
}

inline void check_close(const Floats& got, const Floats& want, float relative, float absolute = 0) {
  REQUIRE(got.size() == want.size());
  for (size_t i = 0; i < want.size(); ++i) {
    if (close(got[i], want[i], relative, absolute)) continue;
    CAPTURE(i, got[i], want[i]);  // only here: to write down a million takes a minute
    FAIL("not close");
  }
}

// The error in units in the last place of the exact result: 2^-149 below the normal numbers. A zero
// has its sign.
inline double ulps(float got, double exact) {
  if (std::isnan(got) || std::isnan(exact)) return std::isnan(got) && std::isnan(exact) ? 0 : inf;
  if (float(exact) == got) return got != 0 || std::signbit(got) == std::signbit(exact) ? 0 : inf;
  int exponent = -200;
  if (exact != 0) std::frexp(exact, &exponent);
  const double got_or_huge = std::isinf(got) ? std::copysign(0x1p128, got) : got;
  return std::fabs(got_or_huge - exact) / std::ldexp(1.0, std::max(exponent - 24, -149));
}

}

using namespace stepgrad;  // for each test that includes this
using namespace stepgrad::kernels;
