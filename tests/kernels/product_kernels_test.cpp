// Products of matrices.
#include <string>

#include "tests/kernels/kernels.hpp"

namespace {

struct Case {
  int64_t m, n, k;
};

const Case cases[] = {{1, 1, 1}, {1, 1, 1000}, {2, 3, 0}, {0, 3, 4}, {3, 0, 4}, {5, 7, 3}, {12, 32, 16}, {13, 33, 17},
    {21, 65, 33}, {40, 100, 513}, {97, 31, 70}, {130, 45, 600}, {257, 129, 9}, {7, 5000, 9}, {200, 4200, 5},
    {1, 700, 530}, {3, 170, 1030}, {300, 1, 1100}, {400, 11, 6}, {150, 16, 64}, {14, 300, 2}, {8, 16, 2001},
    {1100, 40, 8}, {120, 7, 1537}, {97, 2050, 520}};

// A [m, k] and B [k, n], and both turned.
struct Operands {
  Case c;
  Floats a = random_floats(c.m * c.k, 9), b = random_floats(c.k * c.n, 10);
  Floats at = turned(c.m, c.k, a), bt = turned(c.k, c.n, b);

  static Floats turned(int64_t rows, int64_t cols, const Floats& x) {
    Floats y(x.size());
    scalar().copy(strides({cols, rows}, {1, cols}, {0, 0}), x.data(), y.data());
    return y;
  }
};

// A·B in each of the three forms.
std::vector<Floats> products(const Matmul& matmul, const Operands& x) {
  std::vector<Floats> all;
  const auto run = [&](Product form, const Floats& a, const Floats& b) {
    Floats y(x.c.m * x.c.n, NaN);
    form(Products{x.c.m, x.c.n, x.c.k}, a.data(), b.data(), y.data());
    all.push_back(y);
  };
  run(matmul.nn, x.a, x.b);
  run(matmul.nt, x.a, x.bt);
  run(matmul.tn, x.at, x.b);
  return all;
}

// Whether the table's multiply-adds round once.
bool fused(const Table& t) { return std::string(t.name) != "sse2"; }

// A·B as the kernels promise it: sums of product_block steps of k, each of them one chain of
// multiply-adds from zero, added in rising k.
Floats chains(bool fused, const Operands& x) {
  Floats y(x.c.m * x.c.n);
  for (int64_t i = 0; i < x.c.m; ++i) {
    for (int64_t j = 0; j < x.c.n; ++j) {
      const float *a = x.a.data() + i * x.c.k, *b = x.bt.data() + j * x.c.k;
      for (int64_t p = 0; p < x.c.k; p += product_block) {
        float sum = 0;
        for (int64_t q = p; q < std::min(x.c.k, p + product_block); ++q) {
          sum = fused ? std::fma(a[q], b[q], sum) : a[q] * b[q] + sum;
        }
        y[i * x.c.n + j] += sum;
      }
    }
  }
  return y;
}

}

TEST_CASE("every element of a product is one chain of multiply-adds in rising k, blocks in order") {
  for (const Case& c : cases) {
    const Operands x{c};
    const Floats once = chains(true, x), twice = chains(false, x);
    for (const Table* t : vector_tables()) {
      CAPTURE(t->name, c.m, c.n, c.k);
      for (const int threads : {1, 2, 3, 8}) {
        set_num_threads(threads);
        spoil_memory(t->matmul.nn);
        for (const Floats& y : products(t->matmul, x)) {
          REQUIRE(same_bits(y, fused(*t) ? once : twice));
        }
      }
    }
  }
  set_num_threads(2);
}

TEST_CASE("a large gradient of a weight has the same bits wherever it lies") {
  // From 2^20 floats on, those of one block of k and a cache line's beginning are stored past the
  // caches.
  for (const Case& c : {Case{1024, 1040, 5}, {1027, 1040, 9}, {1024, 1040, 520}}) {
    const Floats a = random_floats(c.k * c.m, 11), b = random_floats(c.k * c.n, 12);
    for (const Table* t : vector_tables()) {
      CAPTURE(t->name, c.m, c.n, c.k);
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

TEST_CASE("a row of products takes its operands from where the offsets say") {
  // Of a few numbers; small; each worth a team; all together worth one, and as many as threads or
  // fewer.
  const Products all[] = {
      {2, 2, 3, 9}, {1, 64, 1, 5}, {3, 2, 10, 7}, {5, 37, 11, 9}, {64, 65, 130, 3}, {32, 65, 40, 9}, {40, 65, 40, 3}};
  for (Products s : all) {
    const Floats a = random_floats(s.batch * s.m * s.k, 13), b = random_floats(3 * s.k * s.n, 14);
    std::vector<int64_t> a_offset, b_offset;
    for (int64_t t = 0; t < s.batch; ++t) {
      a_offset.push_back((s.batch - 1 - t) * s.m * s.k);
      b_offset.push_back(t % 3 * s.k * s.n);
    }
    for (const Table* t : vector_tables()) {
      for (Product form : {t->matmul.nn, t->matmul.nt, t->matmul.tn}) {
        Floats alone(s.batch * s.m * s.n, NaN);
        for (int64_t i = 0; i < s.batch; ++i) {
          form({s.m, s.n, s.k}, a.data() + a_offset[i], b.data() + b_offset[i], alone.data() + i * s.m * s.n);
        }
        s.a_offset = a_offset.data(), s.b_offset = b_offset.data();
        const auto run = [&] {
          Floats y(alone.size(), NaN);
          form(s, a.data(), b.data(), y.data());
          return y;
        };
        CAPTURE(t->name, s.m, s.batch);
        CHECK(same_bits(run(), alone));
        CHECK(same_for_any_threads(run));
        s.a_offset = s.b_offset = nullptr;  // all at the first
        const Floats first = run();
        for (int64_t i = 0; i < s.batch; ++i) {
          form({s.m, s.n, s.k}, a.data(), b.data(), alone.data() + i * s.m * s.n);
        }
        CHECK(same_bits(first, alone));
      }
    }
  }
}
