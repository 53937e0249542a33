// Products of matrices in floats, and batches of them in bfloat16s, too.
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
          {12, 700, 100}, {1100, 400, 8}, {40, 1, 700},   {300, 1, 1100}, {8, 16, 2001},
          {3, 16, 6000},  {400, 11, 6},   {64, 16, 1100}, {700, 9, 600}}) {
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
  // More than 2^20 floats, of k <= 4 more than 5 * 2^18: from a cache line's beginning they are
  // stored past the caches, but for the last, to which a second piece of k is added.
  for (const Case& c : {Case{1024, 1040, 5},
                        {16, 81936, 3},
                        {1024, 1040, 9},
                        {16, 65552, 9},
                        {1027, 1040, 5},
                        {1024, 1040, 520}}) {
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

// Whether a product of n columns and k steps is made of dot products, vectors along k.
static bool are_dots(int64_t n, int64_t k) { return n <= 2 ? k >= 64 : n <= 16 && k >= 128; }

TEST_CASE("a product of few columns and steps, or of few rows, has the bits of a larger one") {
  const int64_t m = 150, n = 100;
  for (const int64_t k : {3, 33, 63, 127, 700}) {
    const Floats a = random_floats(m * k, 11), b = random_floats(k * n, 12);
    Floats at(static_cast<size_t>(m * k));
    scalar().copy(strides({k, m}, {1, k}, {0, 0}), a.data(), at.data());
    for (const Table* t : vector_tables()) {
      Floats all(static_cast<size_t>(m * n));
      t->matmul.nn(Products{m, n, k}, a.data(), b.data(), all.data());
      for (const int64_t rows : {1, 5, 14, 17, 49, 110, 150}) {
        for (const int64_t cols : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17}) {
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
          REQUIRE(same_bits(product(t->matmul.tn, some_at, some_b), want));
          if (are_dots(cols, k)) continue;  // the next test's
          REQUIRE(same_bits(product(t->matmul.nn, a, some_b), want));
          REQUIRE(same_bits(product(t->matmul.nt, a, some_bt), want));
        }
      }
    }
  }
}

TEST_CASE("a row of a long product of few columns has the same bits alone, in both forms") {
  const int64_t m = 150;
  for (const int64_t k : {64, 79, 128, 133, 700, 1029}) {
    const Floats a = random_floats(m * k, 11);
    for (const int64_t n : {1, 2, 3, 4, 5, 6, 7, 8, 13, 16}) {
      if (!are_dots(n, k)) continue;
      const Floats b = random_floats(k * n, 12);
      Floats bt(b.size());
      scalar().copy(strides({n, k}, {1, n}, {0, 0}), b.data(), bt.data());
      for (const Table* t : vector_tables()) {
        const auto product = [&](Product form, const Floats& right, int64_t first, int64_t rows) {
          spoil_memory(form);
          Floats y(static_cast<size_t>(rows * n), NaN);
          form(Products{rows, n, k}, &a[first * k], right.data(), y.data());
          return y;
        };
        const Floats all = product(t->matmul.nn, b, 0, m);
        Floats want(all.size());
        scalar().matmul.nn(Products{m, n, k}, a.data(), b.data(), want.data());
        CAPTURE(t->name, n, k);
        REQUIRE(largest_difference(all, want) <= 1e-6f * static_cast<float>(k));
        REQUIRE(same_bits(product(t->matmul.nt, bt, 0, m), all));
        for (const int64_t rows : {1, 2, 3, 5, 6, 7, 49, 101}) {
          const int64_t first = m - rows;
          const Floats some(all.begin() + first * n, all.end());
          CAPTURE(rows);
          REQUIRE(same_bits(product(t->matmul.nn, b, first, rows), some));
          REQUIRE(same_bits(product(t->matmul.nt, bt, first, rows), some));
        }
      }
    }
  }
}

TEST_CASE("a row of a long product of few columns has the same zeros alone") {
  const int64_t m = 5;
  for (const auto& [n, k] :
       std::vector<std::pair<int64_t, int64_t>>{{1, 65}, {2, 65}, {2, 129}, {3, 129}, {7, 129}}) {
    const Floats a(m * k, -1e-30f), b(k * n, 1e-30f);  // whose products vanish below zero
    for (const Table* t : vector_tables()) {
      Floats all;
      for (int64_t rows = m; rows > 0; --rows) {
        Floats y(static_cast<size_t>(rows * n), NaN);
        t->matmul.nn(Products{rows, n, k}, a.data(), b.data(), y.data());
        if (rows == m) all = y;
        CAPTURE(t->name, n, k, rows);
        CHECK(same_bits(y, Floats(all.begin(), all.begin() + rows * n)));
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
