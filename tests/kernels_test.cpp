// Every vector table against the scalar one, which is the specification.
#ifdef _OPENMP
#include <omp.h>
#endif

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/kernels/table.hpp"
#include "tests/catch.hpp"

using namespace stepgrad;
using namespace stepgrad::kernels;

namespace {

using Floats = std::vector<float>;

// The vector tables that this machine runs.
std::vector<const Table*> vector_tables() {
  std::vector<const Table*> found;
  for (const char* name : {"sse2", "avx2", "avx512", "avx512_bf16", "neon"}) {
    if (const Table* t = find_table(name)) found.push_back(t);
  }
  return found;
}

const Table& scalar() { return *find_table("scalar"); }

Floats random_floats(int64_t n, unsigned seed) {
  std::mt19937 bits(seed);
  std::uniform_real_distribution<float> uniform(-2, 2);
  Floats x(static_cast<size_t>(n));
  for (float& v : x) v = uniform(bits);
  return x;
}

// Equal bit by bit, NaNs included.
bool same_bits(const Floats& a, const Floats& b) {
  if (a.empty()) return b.empty();
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

float largest_difference(const Floats& a, const Floats& b) {
  float most = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const float d = std::fabs(a[i] - b[i]);
    if (!(d <= most)) most = d;  // a NaN too
  }
  return most;
}

Strides strides(std::vector<int64_t> size, std::vector<int64_t> a, std::vector<int64_t> b) {
  Strides s;
  s.dims = static_cast<int>(size.size());
  for (size_t d = 0; d < size.size(); ++d) {
    s.size[d] = size[d];
    s.a[d] = a[d];
    s.b[d] = b[d];
  }
  return s;
}

int64_t count(const Strides& s) {
  int64_t n = 1;
  for (int d = 0; d < s.dims; ++d) n *= s.size[d];
  return n;
}

void use_threads(int n) {
#ifdef _OPENMP
  omp_set_num_threads(n);
#else
  (void)n;
#endif
}

// Runs f for 1, 2, 3 and 8 threads; whether all its results are the same, bit by bit.
template <class F>
bool same_for_any_threads(F f) {
  use_threads(1);
  const Floats alone = f();
  bool same = true;
  for (int threads : {2, 3, 8}) {
    use_threads(threads);
    same = same && same_bits(alone, f());
  }
  use_threads(2);
  return same;
}

const int64_t lengths[] = {0, 1, 3, 4, 7, 8, 15, 16, 17, 31, 33, 100, 4096, 40000};

}  // namespace

TEST_CASE("elementwise kernels equal the scalar ones bit by bit, for every broadcast") {
  const auto cases = {
      strides({}, {}, {}),
      strides({17}, {1}, {1}),
      strides({40000}, {1}, {1}),
      strides({40000}, {1}, {0}),
      strides({37}, {0}, {1}),
      strides({37}, {0}, {0}),
      strides({50, 33}, {33, 1}, {0, 1}),
      strides({300, 133}, {133, 1}, {0, 1}),
      strides({50, 33}, {0, 1}, {33, 1}),
      strides({50, 33}, {33, 1}, {1, 0}),
      strides({4, 5, 6}, {0, 6, 1}, {30, 6, 1}),
      strides({4, 5, 6}, {5, 1, 0}, {0, 0, 1}),
      strides({2, 3, 2, 5, 2, 3}, {180, 60, 30, 6, 3, 1}, {0, 6, 0, 0, 3, 1}),
      strides({7, 6}, {1, 7}, {6, 1}),
      strides({0}, {1}, {1}),
      strides({0, 5}, {5, 1}, {0, 1}),
      strides({5, 0}, {0, 1}, {0, 1}),
  };
  Floats a = random_floats(40000, 1), b = random_floats(40000, 2);
  for (int i = 0; i < 40000; i += 3) b[i] = a[i];  // for eq
  for (int i = 0; i < 40000; i += 7) b[i] = 0;     // for masked_fill
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Table* t : vector_tables()) {
    for (const Strides& s : cases) {
      const auto n = static_cast<size_t>(count(s));
      CAPTURE(t->name, s.dims, n);
      for (auto op : {&Table::add, &Table::sub, &Table::mul, &Table::div, &Table::eq, &Table::gt,
                      &Table::lt}) {
        Floats want(n, nan), got(n, nan);
        (scalar().*op)(s, a.data(), b.data(), want.data());
        (t->*op)(s, a.data(), b.data(), got.data());
        REQUIRE(same_bits(got, want));
      }
      Floats want(n, nan), got(n, nan);
      scalar().masked_fill(s, a.data(), b.data(), -7, want.data());
      t->masked_fill(s, a.data(), b.data(), -7, got.data());
      REQUIRE(same_bits(got, want));
      scalar().copy(s, a.data(), want.data());
      t->copy(s, a.data(), got.data());
      REQUIRE(same_bits(got, want));
    }
  }
}

TEST_CASE("a table that is unknown, or that this CPU does not run, is not found") {
  CHECK(find_table("mmx") == nullptr);
  CHECK(find_table("") == nullptr);
  CHECK(std::string(find_table("scalar")->name) == "scalar");
}

TEST_CASE("flat kernels equal the scalar ones bit by bit, special values included") {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Table* t : vector_tables()) {
    for (int64_t n : lengths) {
      CAPTURE(t->name, n);
      Floats x = random_floats(n, 3), dy = random_floats(n, 4);
      const float special[] = {0.f, -0.f, 1.f, -1.f, inf, -inf, nan, 1e-40f};
      for (size_t i = 0; i < x.size() && i < 64; i += 2) x[i] = special[i / 2 % 8];
      const auto check = [&](auto run) {
        Floats want(x.size(), 9), got(x.size(), 9);
        run(scalar(), want.data());
        run(*t, got.data());
        REQUIRE(same_bits(got, want));
      };
      check([&](const Table& k, float* y) { k.neg(n, x.data(), y); });
      check([&](const Table& k, float* y) { k.relu(n, x.data(), y); });
      check([&](const Table& k, float* y) { k.clamp(n, x.data(), -1, 1, y); });
      check([&](const Table& k, float* y) { k.clamp(n, x.data(), 0, inf, y); });
      check([&](const Table& k, float* y) { k.clamp_grad(n, dy.data(), x.data(), -1, 1, y); });
      check([&](const Table& k, float* y) { k.relu_grad(n, dy.data(), x.data(), y); });
      check([&](const Table& k, float* y) { k.fill(n, 2.5f, y); });
    }
  }
}

TEST_CASE("kernels may write where they read") {
  for (const Table* t : vector_tables()) {
    const Floats a = random_floats(1000, 5), b = random_floats(1000, 6);
    Floats want(1000), got = a;
    const Strides s = strides({1000}, {1}, {1});
    scalar().sub(s, a.data(), b.data(), want.data());
    t->sub(s, got.data(), b.data(), got.data());
    CHECK(same_bits(got, want));
    got = b;
    t->sub(s, a.data(), got.data(), got.data());
    CHECK(same_bits(got, want));
    got = a;
    t->log_softmax(10, 100, got.data(), got.data());
    t->log_softmax(10, 100, a.data(), want.data());
    CHECK(same_bits(got, want));
  }
}

TEST_CASE("copy follows any strides") {
  const Floats x = random_floats(300000, 7);
  const auto cases = {
      strides({70, 50}, {1, 70}, {0, 0}),                    // transpose
      strides({500, 600}, {1, 500}, {0, 0}),                 // and a large one
      strides({3, 33, 65}, {2145, 1, 33}, {0, 0, 0}),        // batched
      strides({2, 5, 3, 7}, {105, 7, 35, 1}, {0, 0, 0, 0}),  // heads
      strides({5, 2, 7, 3}, {21, 105, 1, 7}, {0, 0, 0, 0}),  // permute
      strides({6, 4, 5}, {1, 6, 24}, {0, 0, 0}),             // all reversed
      strides({4, 9}, {0, 1}, {0, 0}),                       // expand
      strides({9, 4}, {1, 0}, {0, 0}),                       // along the last
      strides({10, 20}, {100, 2}, {0, 0}),                   // slice with a step
      strides({10, 20}, {100, 3}, {0, 0}),
      strides({1, 20}, {1, 5}, {0, 0}),
  };
  for (const Table* t : vector_tables()) {
    for (const Strides& s : cases) {
      Floats want(static_cast<size_t>(count(s))), got(want);
      scalar().copy(s, x.data(), want.data());
      t->copy(s, x.data(), got.data());
      CHECK(same_bits(got, want));
    }
  }
}

TEST_CASE("sums agree with the scalar ones and do not depend on the threads") {
  struct Case {
    int64_t outer, n, inner;
  };
  for (const Table* t : vector_tables()) {
    for (const Case& c : {Case{1, 1, 1},
                          {1, 100000, 1},
                          {1, 0, 1},
                          {3, 0, 5},
                          {0, 4, 5},
                          {7, 33, 1},
                          {1, 5000, 3},
                          {1, 700, 130},
                          {5, 17, 16},
                          {20, 257, 40},
                          {2, 9, 1000}}) {
      CAPTURE(t->name, c.outer, c.n, c.inner);
      const Floats x = random_floats(c.outer * c.n * c.inner, 8);
      const auto run = [&](const Table& k) {
        Floats y(static_cast<size_t>(c.outer * c.inner), 5);
        k.sum(c.outer, c.n, c.inner, x.data(), y.data());
        return y;
      };
      const float allowed = 1e-6f * static_cast<float>(std::max<int64_t>(c.n, 10));
      CHECK(largest_difference(run(*t), run(scalar())) <= allowed);
      CHECK(same_for_any_threads([&] { return run(*t); }));
    }
  }
}

TEST_CASE("products agree with the scalar ones for every form and odd shape") {
  struct Case {
    int64_t m, n, k;
  };
  for (const Table* t : vector_tables()) {
    for (const Case& c : {Case{1, 1, 1},
                          {1, 1, 1000},
                          {1, 64, 40},
                          {2, 3, 0},
                          {0, 3, 4},
                          {3, 0, 4},
                          {5, 7, 3},
                          {12, 32, 16},
                          {13, 33, 17},
                          {21, 65, 33},
                          {40, 100, 513},
                          {97, 31, 70},
                          {130, 45, 600},
                          {300, 1, 50},
                          {1, 300, 50},
                          {257, 129, 65},
                          {7, 5000, 9},
                          {200, 4200, 5},
                          {64, 16, 1100}}) {
      CAPTURE(t->name, c.m, c.n, c.k);
      const Floats a = random_floats(c.m * c.k, 9), b = random_floats(c.k * c.n, 10);
      for (auto form : {&Matmul::nn, &Matmul::nt, &Matmul::tn}) {
        const auto run = [&](const Table& table) {
          Floats y(static_cast<size_t>(c.m * c.n), 5);
          (table.matmul.*form)(Products{c.m, c.n, c.k}, a.data(), b.data(), y.data());
          return y;
        };
        const float allowed = 1e-6f * static_cast<float>(std::max<int64_t>(c.k, 10));
        REQUIRE(largest_difference(run(*t), run(scalar())) <= allowed);
        REQUIRE(same_for_any_threads([&] { return run(*t); }));
      }
    }
  }
}

namespace {

struct ProductCase {
  int64_t m, n, k;
};
const ProductCase bf16_cases[] = {{1, 1, 1},      {2, 3, 0},    {3, 5, 2},      {1, 64, 41},
                                  {13, 33, 17},   {21, 65, 33}, {40, 100, 513}, {130, 45, 1101},
                                  {257, 129, 65}, {7, 300, 9},  {1, 5, 2000}};

// Whether the tables' products of a and b are the scalar ones bit by bit, for any threads.
void check_bf16_products(const std::vector<const Table*>& tables, const ProductCase& c,
                         const Floats& a, const Floats& b) {
  for (auto form : {&Matmul::nn, &Matmul::nt, &Matmul::tn}) {
    const auto run = [&](const Table& table) {
      Floats y(static_cast<size_t>(c.m * c.n), 5);
      (table.bf16_matmul.*form)(Products{c.m, c.n, c.k}, a.data(), b.data(), y.data());
      return y;
    };
    const Floats want = run(scalar());
    for (const Table* t : tables) {
      CAPTURE(t->name, c.m, c.n, c.k);
      REQUIRE(same_bits(run(*t), want));
      REQUIRE(same_for_any_threads([&] { return run(*t); }));
    }
  }
}

}  // namespace

TEST_CASE("products of bfloat16s have the same bits in every table") {
  for (const ProductCase& c : bf16_cases) {
    check_bf16_products(vector_tables(), c, random_floats(c.m * c.k, 9),
                        random_floats(c.k * c.n, 10));
  }
}

TEST_CASE("products of bfloat16s flush what is below the normal numbers, before and after") {
  std::vector<const Table*> tables;  // with fused multiply-adds: else a product is flushed, too
  for (const Table* t : vector_tables()) {
    if (std::string(t->name).find("avx") == 0) tables.push_back(t);
  }
  std::mt19937 random(3);
  const auto tiny = [&](int64_t n, int lowest, int highest) {
    Floats x = random_floats(n, 11);
    for (float& v : x) v = std::ldexp(v, lowest + static_cast<int>(random() % (highest - lowest)));
    return x;
  };
  for (const ProductCase& c : bf16_cases) {
    check_bf16_products(tables, c, tiny(c.m * c.k, -80, -50), tiny(c.k * c.n, -80, -50));
    check_bf16_products(tables, c, tiny(c.m * c.k, -140, -120), tiny(c.k * c.n, -10, 10));
  }
  Floats y(1);
  scalar().bf16_matmul.nn(Products{1, 1, 1}, Floats{0x1p-70f}.data(), Floats{0x1p-70f}.data(),
                          y.data());
  CHECK(y[0] == 0);
}

TEST_CASE("a product of bfloat16s rounds its operands, to even, and adds the second step first") {
  std::vector<const Table*> tables = vector_tables();
  tables.push_back(&scalar());
  for (const Table* t : tables) {
    CAPTURE(t->name);
    const auto dot = [&](Floats a, Floats b) {
      float y;
      t->bf16_matmul.nn(Products{1, 1, static_cast<int64_t>(a.size())}, a.data(), b.data(), &y);
      return y;
    };
    CHECK(dot({257}, {1}) == 256);
    CHECK(dot({259}, {1}) == 260);
    CHECK(dot({1, 256}, {1, 256}) == 65537);
    CHECK(dot({0x1p-24f, 1}, {1, 1}) == 1);               // 1 first: what follows is lost
    CHECK(dot({1, 0x1.8p-24f}, {1, 1}) == 1 + 0x1p-23f);  // 1 last: one rounding, up
    CHECK(std::isnan(dot({std::numeric_limits<float>::quiet_NaN()}, {1})));
    CHECK(dot({std::numeric_limits<float>::infinity(), 1}, {1, 1}) > 3e38f);
  }
}

TEST_CASE("an element of a product has the same bits whatever stands around it") {
  const int64_t m = 150, n = 100, k = 700;
  const Floats a = random_floats(m * k, 11), b = random_floats(k * n, 12);
  for (const Table* t : vector_tables()) {
    Floats all(m * n);
    t->matmul.nn(Products{m, n, k}, a.data(), b.data(), all.data());
    for (int64_t rows : {1, 2, 5, 13, 97, 120}) {
      Floats some(static_cast<size_t>(rows * n));
      t->matmul.nn(Products{rows, n, k}, a.data() + 20 * k, b.data(), some.data());
      CAPTURE(t->name, rows);
      CHECK(std::memcmp(some.data(), all.data() + 20 * n, some.size() * sizeof(float)) == 0);
    }
    Floats one_column(k), y(m);
    for (int64_t j : {0, 37, 99}) {
      for (int64_t p = 0; p < k; ++p) one_column[p] = b[p * n + j];
      t->matmul.nn(Products{m, 1, k}, a.data(), one_column.data(), y.data());
      bool same = true;
      for (int64_t i = 0; i < m; ++i) same = same && y[i] == all[i * n + j];
      CHECK(same);
    }
    Floats nt(m * n), bt(n * k);
    scalar().copy(strides({n, k}, {1, n}, {0, 0}), b.data(), bt.data());
    t->matmul.nt(Products{m, n, k}, a.data(), bt.data(), nt.data());
    CHECK(same_bits(nt, all));
    Floats tn(m * n), at(m * k);
    scalar().copy(strides({k, m}, {1, k}, {0, 0}), a.data(), at.data());
    t->matmul.tn(Products{m, n, k}, at.data(), b.data(), tn.data());
    CHECK(same_bits(tn, all));
  }
}

TEST_CASE("a row of products takes its operands from where the offsets say") {
  const int64_t m = 5, n = 37, k = 11, batch = 9;
  const Floats a = random_floats(batch * m * k, 13), b = random_floats(3 * k * n, 14);
  std::vector<int64_t> a_offset, b_offset;
  for (int64_t t = 0; t < batch; ++t) {
    a_offset.push_back((batch - 1 - t) * m * k);
    b_offset.push_back(t % 3 * k * n);
  }
  for (const Table* t : vector_tables()) {
    for (bool null : {false, true}) {
      Products s{m, n, k, batch};
      if (!null) s.a_offset = a_offset.data(), s.b_offset = b_offset.data();
      Floats want(batch * m * n), got(batch * m * n);
      scalar().matmul.nn(s, a.data(), b.data(), want.data());
      t->matmul.nn(s, a.data(), b.data(), got.data());
      CHECK(largest_difference(got, want) <= 1e-5f);
    }
  }
}

TEST_CASE("log_softmax and its gradient agree with the scalar ones at the extremes too") {
  for (const Table* t : vector_tables()) {
    for (int64_t n : {1, 2, 7, 16, 33, 100, 1000}) {
      for (float scale : {1.f, 30.f, 10000.f}) {
        CAPTURE(t->name, n, scale);
        Floats x = random_floats(50 * n, 15), dy = random_floats(50 * n, 16);
        for (float& v : x) v *= scale;
        Floats want(x.size()), got(x.size()), dwant(x.size()), dgot(x.size());
        scalar().log_softmax(50, n, x.data(), want.data());
        t->log_softmax(50, n, x.data(), got.data());
        CHECK(largest_difference(got, want) <= 3e-6f * scale);
        scalar().log_softmax_grad(50, n, dy.data(), want.data(), dwant.data());
        t->log_softmax_grad(50, n, dy.data(), want.data(), dgot.data());
        CHECK(largest_difference(dgot, dwant) <= 2e-7f * static_cast<float>(n) + 2e-5f);
      }
    }
  }
}

TEST_CASE("gather and scatter_add move whole rows, and add in order") {
  for (const Table* t : vector_tables()) {
    for (int64_t n : {1, 5, 16, 70, 300}) {
      const int64_t rows = 500, table_rows = 20;
      CAPTURE(t->name, n);
      Floats ids(rows);
      for (int64_t r = 0; r < rows; ++r) ids[r] = static_cast<float>(r * r % 7);
      const Floats x = random_floats(table_rows * n, 17), dy = random_floats(rows * n, 18);
      Floats want(rows * n), got(rows * n), dwant = x, dgot = x;
      scalar().gather(rows, n, x.data(), ids.data(), want.data());
      t->gather(rows, n, x.data(), ids.data(), got.data());
      CHECK(same_bits(got, want));
      scalar().scatter_add(rows, n, dy.data(), ids.data(), dwant.data());
      t->scatter_add(rows, n, dy.data(), ids.data(), dgot.data());
      CHECK(same_bits(dgot, dwant));
      CHECK(same_for_any_threads([&] {
        Floats dx = x;
        t->scatter_add(rows, n, dy.data(), ids.data(), dx.data());
        return dx;
      }));
    }
  }
}

TEST_CASE("random numbers are the same bits in every table") {
  std::vector<const Table*> tables = vector_tables();
  tables.push_back(&scalar());
  for (const Table* t : tables) {
    CAPTURE(t->name);
    Floats known(4);  // Philox4x32-10, counter 0, key 0: 6627e8d5 e169c58d bc57ac4c 9b00dbd8
    t->uniform(Draw{1, 4, 0, 0}, known.data());
    CHECK(known[0] * 16777216.f == 0x6627e8);
    CHECK(known[1] * 16777216.f == 0xe169c5);
    CHECK(known[2] * 16777216.f == 0xbc57ac);
    CHECK(known[3] * 16777216.f == 0x9b00db);
    for (int64_t n : {0, 1, 3, 4, 5, 16, 31, 32, 33, 65, 4099}) {
      for (int64_t rows : {1, 2, 40}) {
        const Draw d{rows, n, 0x123456789abcdef0u, 0xfedcba9876543210u};
        Floats want(static_cast<size_t>(rows * n)), got(want);
        scalar().uniform(d, want.data());
        t->uniform(d, got.data());
        REQUIRE(same_bits(got, want));
        for (float keep : {0.1f, 0.9f, 1.f}) {
          scalar().dropout_mask(d, keep, want.data());
          t->dropout_mask(d, keep, got.data());
          REQUIRE(same_bits(got, want));
        }
      }
    }
  }
}

TEST_CASE("an AdamW step agrees with the scalar one") {
  for (const Table* t : vector_tables()) {
    for (int64_t n : {1, 15, 33, 20000}) {
      const Floats g = random_floats(n, 19);
      Floats w = random_floats(n, 20), m(w.size()), v(w.size()), w2 = w, m2 = m, v2 = v;
      for (int64_t step = 1; step <= 3; ++step) {
        const AdamW a{1e-2, 0.9, 0.999, 1e-8, 0.1, step};
        scalar().adamw(n, a, g.data(), w.data(), m.data(), v.data());
        t->adamw(n, a, g.data(), w2.data(), m2.data(), v2.data());
      }
      CHECK(largest_difference(w2, w) <= 1e-6f);
      CHECK(largest_difference(m2, m) <= 1e-6f);
      CHECK(largest_difference(v2, v) <= 1e-6f);
    }
  }
}

namespace {

// One feed-forward layer with everything that goes in and out of it.
struct Layer {
  int64_t rows, d, f;
  Scalar keep;
  bool bias, bf16 = false, train = true;
  Floats x = random_floats(rows * d, 30), w1 = random_floats(d * f, 31), b1 = random_floats(f, 32);
  Floats w2 = random_floats(f * d, 33), b2 = random_floats(d, 34), dy = random_floats(rows * d, 35);

  FeedForward arguments() const {
    return {rows,      d,
            f,         x.data(),
            w1.data(), bias ? b1.data() : nullptr,
            w2.data(), bias ? b2.data() : nullptr,
            keep,      7,
            3};
  }

  // Y, dX, dW₁, db₁, dW₂, db₂, one after the other.
  Floats fused(const Table& t) const {
    const FeedForward a = arguments();
    const FeedForwardKernels& layer = bf16 ? t.bf16_feed_forward : t.feed_forward;
    Floats saved(static_cast<size_t>(layer.saved_size(rows, f)));
    Floats all(static_cast<size_t>(2 * rows * d + 2 * d * f + f + d), NAN);
    float* y = all.data();
    float *dx = y + rows * d, *dw1 = dx + rows * d, *db1 = dw1 + d * f, *dw2 = db1 + f;
    layer.forward(a, train ? saved.data() : nullptr, y);
    if (train) layer.grad(a, saved.data(), dy.data(), {dx, dw1, db1, dw2, dw2 + d * f});
    return all;
  }

  // The same by separate kernels.
  Floats separate(const Table& t) const {
    const float inf = std::numeric_limits<float>::infinity();
    Floats all(static_cast<size_t>(2 * rows * d + 2 * d * f + f + d), NAN);
    float* y = all.data();
    float *dx = y + rows * d, *dw1 = dx + rows * d, *db1 = dw1 + d * f, *dw2 = db1 + f;
    const int64_t n = rows * f;
    const Strides each = strides({n}, {1}, {1});
    Floats z(n), h(n), mask(n, 1), dz(n);
    const Matmul& matmul = bf16 ? t.bf16_matmul : t.matmul;
    const auto product = [&](Product kernel, const Products& s, const float* a, const float* b,
                             float* to) {
      kernel(s, a, b, to);
      if (bf16) t.bfloat16(s.m * s.n, to, to);
    };
    product(matmul.nn, {rows, f, d}, x.data(), w1.data(), z.data());
    if (bias) t.add(strides({rows, f}, {f, 1}, {0, 1}), z.data(), b1.data(), z.data());
    t.clamp(n, z.data(), 0, inf, h.data());
    if (keep < 1) t.dropout_mask({rows, f, 7, 3}, keep, mask.data());
    t.mul(each, h.data(), mask.data(), h.data());
    product(matmul.nn, {rows, d, f}, h.data(), w2.data(), y);
    if (bias) t.add(strides({rows, d}, {d, 1}, {0, 1}), y, b2.data(), y);
    if (!train) return all;
    product(matmul.nt, {rows, f, d}, dy.data(), w2.data(), dz.data());
    t.mul(each, dz.data(), mask.data(), dz.data());
    t.clamp_grad(n, dz.data(), z.data(), 0, inf, dz.data());
    product(matmul.nt, {rows, d, f}, dz.data(), w1.data(), dx);
    product(matmul.tn, {d, f, rows}, x.data(), dz.data(), dw1);
    t.sum(1, rows, f, dz.data(), db1);
    product(matmul.tn, {f, d, rows}, h.data(), dy.data(), dw2);
    t.sum(1, rows, d, dy.data(), dw2 + d * f);
    return all;
  }
};

}  // namespace

TEST_CASE("the fused feed-forward layer equals the separate kernels, dropout included") {
  std::vector<const Table*> tables = vector_tables();
  tables.push_back(&scalar());
  for (const Table* t : tables) {
    for (Layer layer : {Layer{21, 33, 65, 0.9f, true}, Layer{1, 1, 1, 0.5f, true},
                        Layer{40, 64, 128, 0.9f, false}, Layer{97, 33, 17, 1.f, true},
                        Layer{1100, 40, 70, 0.8f, true}, Layer{130, 600, 20, 0.9f, true},
                        Layer{20, 20, 1030, 0.9f, true}, Layer{301, 5, 3, 0.9f, false},
                        Layer{255, 5, 3, 0.9f, true}, Layer{511, 5, 40, 0.9f, true},
                        Layer{383, 5, 3, 0.9f, true}, Layer{1023, 5, 3, 0.9f, true}}) {
      for (const bool bf16 : {false, true}) {
        layer.bf16 = bf16;
        CAPTURE(t->name, bf16, layer.rows, layer.d, layer.f);
        const Floats fused = layer.fused(*t), separate = layer.separate(*t);
        const size_t values = static_cast<size_t>(layer.rows * layer.d);
        REQUIRE(std::memcmp(fused.data(), separate.data(), values * sizeof(float)) == 0);
        float largest = 1;
        for (float v : separate) largest = std::max(largest, std::fabs(v));
        REQUIRE(largest_difference(fused, separate) <= 1e-5f * largest);
        REQUIRE(same_for_any_threads([&] { return layer.fused(*t); }));
        Layer eval = layer;
        eval.train = false;
        const Floats alone = eval.fused(*t);
        REQUIRE(std::memcmp(fused.data(), alone.data(), values * sizeof(float)) == 0);
      }
    }
  }
}
