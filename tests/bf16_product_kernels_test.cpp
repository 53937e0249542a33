// Products of matrices in bfloat16s, whose bits are the same in every table but AMX's.
#include <limits>
#include <string>

#include "tests/kernels.hpp"

using namespace stepgrad;
using namespace stepgrad::kernels;

namespace {

struct ProductCase {
  int64_t m, n, k;
};
const ProductCase bf16_cases[] = {{1, 1, 1},      {2, 3, 0},    {3, 5, 2},      {1, 64, 41},
                                  {13, 33, 17},   {21, 65, 33}, {40, 100, 513}, {130, 45, 1101},
                                  {257, 129, 65}, {7, 300, 9},  {1, 5, 2000},   {16, 32, 32},
                                  {17, 31, 64},   {31, 16, 96}, {32, 17, 31},   {33, 48, 512}};

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
    for (const auto& [left, right] : factors) {
      const Floats &a = left, &b = right;  // as clang 14's lambdas cannot use the others
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
