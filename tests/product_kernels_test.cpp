// Products of matrices, in floats and in bfloat16s.
#include <limits>
#include <string>

#include "tests/kernels.hpp"

using namespace stepgrad;
using namespace stepgrad::kernels;

TEST_CASE("products agree with the scalar ones for every form and odd shape") {
  struct Case {
    int64_t m, n, k;
  };
  for (const Table* t : vector_tables()) {
    for (const Case& c :
         {Case{1, 1, 1},  {1, 1, 1000},   {1, 64, 40},    {2, 3, 0},      {0, 3, 4},
          {3, 0, 4},      {5, 7, 3},      {12, 32, 16},   {13, 33, 17},   {21, 65, 33},
          {40, 100, 513}, {97, 31, 70},   {130, 45, 600}, {300, 1, 50},   {1, 300, 50},
          {257, 129, 65}, {7, 5000, 9},   {200, 4200, 5}, {1, 700, 530},  {3, 170, 1030},
          {12, 700, 100}, {1100, 400, 8}, {400, 11, 6},   {64, 16, 1100}, {700, 9, 600}}) {
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

TEST_CASE("a large gradient of a weight has the same bits wherever it lies") {
  struct Case {
    int64_t m, n, k;
  };
  // More than 2^20 floats: from a cache line's beginning they are stored past the caches.
  for (const Case& c : {Case{1024, 1040, 5}, {16, 65552, 3}, {1024, 1040, 9}, {16, 65552, 9}}) {
    const Floats a = random_floats(c.k * c.m, 11), b = random_floats(c.k * c.n, 12);
    for (const Table* t : vector_tables()) {
      CAPTURE(t->name, c.m, c.n);
      const auto run = [&](int shift) {
        return written(c.m * c.n, shift, [&](float* y) {
          t->matmul.tn(Products{c.m, c.n, c.k}, a.data(), b.data(), y);
        });
      };
      REQUIRE(same_bits(run(0), run(1)));
      REQUIRE(same_for_any_threads([&] { return run(0); }));
    }
  }
}

namespace {

struct ProductCase {
  int64_t m, n, k;
};
const ProductCase bf16_cases[] = {{1, 1, 1},      {2, 3, 0},    {3, 5, 2},      {1, 64, 41},
                                  {13, 33, 17},   {21, 65, 33}, {40, 100, 513}, {130, 45, 1101},
                                  {257, 129, 65}, {7, 300, 9},  {1, 5, 2000},   {16, 32, 32},
                                  {17, 31, 64},   {31, 16, 96}, {32, 17, 31},   {33, 48, 512}};

// Leaves infinities in the working memory of products of that form: of few rows, for each
// instruction set, and many; of a team and of one thread.
void spoil_memory(Product product) {
  const int64_t n = 150, k = 600;
  const Floats x(static_cast<size_t>(n * k), inf);
  for (const int threads : {1, 2}) {
    use_threads(threads);
    for (const int64_t m : {14, 40, 90, 150}) {
      Floats y(static_cast<size_t>(m * n));
      product(Products{m, n, k}, x.data(), x.data(), y.data());
    }
  }
}

// op(A)·op(B) by bfloat16s.
Floats bf16_products(const Table& table, Product Matmul::*form, const ProductCase& c,
                     const Floats& a, const Floats& b) {
  if (&table != &scalar()) spoil_memory(table.bf16_matmul.*form);  // which needs none
  Floats y(static_cast<size_t>(c.m * c.n), 5);
  (table.bf16_matmul.*form)(Products{c.m, c.n, c.k}, a.data(), b.data(), y.data());
  return y;
}

// Whether the tables' products of a and b are the scalar ones bit by bit, for any threads.
void check_bf16_products(const std::vector<const Table*>& tables, const ProductCase& c,
                         const Floats& a, const Floats& b) {
  for (auto form : {&Matmul::nn, &Matmul::nt, &Matmul::tn}) {
    const Floats want = bf16_products(scalar(), form, c, a, b);
    for (const Table* t : tables) {
      const auto run = [&] { return bf16_products(*t, form, c, a, b); };
      CAPTURE(t->name, c.m, c.n, c.k);
      REQUIRE(same_bits(run(), want));
      REQUIRE(same_for_any_threads(run));
    }
  }
}

// The same number, or a zero for one below the normal ones.
float flushed(float x) {
  return std::fabs(x) < std::numeric_limits<float>::min() ? std::copysign(0.f, x) : x;
}

// The product as AMX adds: the even and the odd steps of 32 apart, the sums of blocks as
// everywhere.
Floats amx_products(Product Matmul::*form, const ProductCase& c, Floats a, Floats b) {
  for (Floats* x : {&a, &b}) {
    for (float& v : *x) v = flushed(v);
    scalar().bfloat16(static_cast<int64_t>(x->size()), x->data(), x->data());
  }
  const auto step = [&](int64_t i, int64_t j, int64_t p, float sum) {
    if (p >= c.k) return sum;
    const size_t left = form == &Matmul::tn ? p * c.m + i : i * c.k + p;
    const size_t right = form == &Matmul::nt ? j * c.k + p : p * c.n + j;
    return flushed(std::fma(a[left], b[right], sum));
  };
  Floats y(static_cast<size_t>(c.m * c.n));
  for (int64_t i = 0; i < c.m; ++i) {
    for (int64_t j = 0; j < c.n; ++j) {
      float& total = y[static_cast<size_t>(i * c.n + j)];
      for (int64_t block = 0; block < c.k; block += product_block) {
        float sum = 0;
        for (int64_t p = block; p < std::min(c.k, block + product_block); p += 32) {
          float even = 0, odd = 0;
          for (int64_t q = p; q < p + 32; q += 2) {
            even = step(i, j, q, even);
            odd = step(i, j, q + 1, odd);
          }
          sum = flushed(sum + flushed(even + odd));
        }
        total = block == 0 ? sum : flushed(total + sum);
      }
    }
  }
  return y;
}

// What lies around nothing: of any size from 2 to the power of `lowest` to that of `highest`.
Floats tiny_floats(int64_t n, int lowest, int highest) {
  std::mt19937 random(3);
  Floats x = random_floats(n, 11);
  for (float& v : x) v = std::ldexp(v, lowest + static_cast<int>(random() % (highest - lowest)));
  return x;
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
  for (const ProductCase& c : bf16_cases) {
    check_bf16_products(tables, c, tiny_floats(c.m * c.k, -80, -50),
                        tiny_floats(c.k * c.n, -80, -50));
    check_bf16_products(tables, c, tiny_floats(c.m * c.k, -140, -120),
                        tiny_floats(c.k * c.n, -10, 10));
  }
  Floats y(1);
  scalar().bf16_matmul.nn(Products{1, 1, 1}, Floats{0x1p-70f}.data(), Floats{0x1p-70f}.data(),
                          y.data());
  CHECK(y[0] == 0);
}

TEST_CASE("products of bfloat16s on AMX's tiles add even and odd steps of 32 apart") {
  const Table* amx = find_table("amx");
  if (amx == nullptr) return;
  for (const ProductCase& c : bf16_cases) {
    const std::pair<Floats, Floats> factors[] = {
        {random_floats(c.m * c.k, 9), random_floats(c.k * c.n, 10)},
        {tiny_floats(c.m * c.k, -80, -50), tiny_floats(c.k * c.n, -80, -50)},
        {tiny_floats(c.m * c.k, -140, -120), tiny_floats(c.k * c.n, -10, 10)}};
    for (const auto& [a, b] : factors) {
      for (auto form : {&Matmul::nn, &Matmul::nt, &Matmul::tn}) {
        const auto run = [&] { return bf16_products(*amx, form, c, a, b); };
        CAPTURE(c.m, c.n, c.k);
        REQUIRE(same_bits(run(), amx_products(form, c, a, b)));
        REQUIRE(same_for_any_threads(run));
      }
    }
  }
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
    Floats bt(n * k);
    scalar().copy(strides({n, k}, {1, n}, {0, 0}), b.data(), bt.data());
    for (int64_t rows : {1, 2, 5, 13, 97, 150}) {
      Floats some(static_cast<size_t>(rows * n));
      t->matmul.nt(Products{rows, n, k}, a.data(), bt.data(), some.data());
      CAPTURE(t->name, rows);
      CHECK(std::memcmp(some.data(), all.data(), some.size() * sizeof(float)) == 0);
    }
    Floats tn(m * n), at(m * k);
    scalar().copy(strides({k, m}, {1, k}, {0, 0}), a.data(), at.data());
    t->matmul.tn(Products{m, n, k}, at.data(), b.data(), tn.data());
    CHECK(same_bits(tn, all));
  }
}

TEST_CASE("a product of few columns or rows has the bits of a larger one, in every form") {
  const int64_t m = 150, n = 100;
  for (const int64_t k : {3, 33, 700}) {
    const Floats a = random_floats(m * k, 11), b = random_floats(k * n, 12);
    Floats at(static_cast<size_t>(m * k));
    scalar().copy(strides({k, m}, {1, k}, {0, 0}), a.data(), at.data());
    for (const Table* t : vector_tables()) {
      Floats all(static_cast<size_t>(m * n));
      t->matmul.nn(Products{m, n, k}, a.data(), b.data(), all.data());
      for (const int64_t rows : {1, 5, 14, 17, 49, 110, 150}) {
        for (const int64_t cols : {1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 16, 17}) {
          Floats some_b(static_cast<size_t>(k * cols)), some_bt = some_b;
          for (int64_t p = 0; p < k; ++p) {
            for (int64_t j = 0; j < cols; ++j) {
              some_b[p * cols + j] = some_bt[j * k + p] = b[p * n + 20 + j];
            }
          }
          Floats some_at(static_cast<size_t>(k * rows)), want(static_cast<size_t>(rows * cols));
          for (int64_t p = 0; p < k; ++p) {
            std::copy_n(&at[p * m], rows, &some_at[p * rows]);
          }
          for (int64_t i = 0; i < rows; ++i) {
            std::copy_n(&all[i * n + 20], cols, &want[i * cols]);
          }
          const auto product = [&](Product form, const Floats& left, const Floats& right) {
            spoil_memory(form);
            Floats y(want.size(), NaN);
            form(Products{rows, cols, k}, left.data(), right.data(), y.data());
            return y;
          };
          CAPTURE(t->name, rows, cols, k);
          REQUIRE(same_bits(product(t->matmul.nn, a, some_b), want));
          REQUIRE(same_bits(product(t->matmul.nt, a, some_bt), want));
          REQUIRE(same_bits(product(t->matmul.tn, some_at, some_b), want));
        }
      }
    }
  }
}

TEST_CASE("a row of products takes its operands from where the offsets say") {
  // Small; each worth a team; all together worth one, and as many as threads or fewer.
  for (Products s : {Products{5, 37, 11, 9}, {64, 65, 130, 3}, {32, 65, 40, 9}, {40, 65, 40, 3}}) {
    const Floats a = random_floats(s.batch * s.m * s.k, 13), b = random_floats(3 * s.k * s.n, 14);
    std::vector<int64_t> a_offset, b_offset;
    for (int64_t t = 0; t < s.batch; ++t) {
      a_offset.push_back((s.batch - 1 - t) * s.m * s.k);
      b_offset.push_back(t % 3 * s.k * s.n);
    }
    for (const Table* t : vector_tables()) {
      for (bool null : {false, true}) {
        CAPTURE(t->name, s.m, s.batch, null);
        s.a_offset = null ? nullptr : a_offset.data();
        s.b_offset = null ? nullptr : b_offset.data();
        Floats want(s.batch * s.m * s.n), got(want);
        scalar().matmul.nn(s, a.data(), b.data(), want.data());
        const auto run = [&] {
          std::fill(got.begin(), got.end(), NaN);
          t->matmul.nn(s, a.data(), b.data(), got.data());
          return got;
        };
        CHECK(largest_difference(run(), want) <= 1e-6f * static_cast<float>(s.k));
        CHECK(same_for_any_threads(run));
      }
    }
    const Products batch{s.m, s.n, s.k, s.batch, a_offset.data(), b_offset.data()};
    for (const Table* t : bf16_tables()) {
      for (auto form : {&Matmul::nn, &Matmul::nt, &Matmul::tn}) {
        const auto run = [&](const Products& products, const float* left, const float* right) {
          Floats y(static_cast<size_t>(products.batch * s.m * s.n), NaN);
          (t->bf16_matmul.*form)(products, left, right, y.data());
          return y;
        };
        Floats alone;
        for (int64_t i = 0; i < s.batch; ++i) {
          const Floats one = run({s.m, s.n, s.k}, a.data() + a_offset[i], b.data() + b_offset[i]);
          alone.insert(alone.end(), one.begin(), one.end());
        }
        CAPTURE(t->name, s.m, s.batch);
        CHECK(same_bits(run(batch, a.data(), b.data()), alone));
        CHECK(same_for_any_threads([&] { return run(batch, a.data(), b.data()); }));
      }
    }
  }
}
