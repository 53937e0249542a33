// Tables, sums, whole rows, random numbers and optimizers.
#include <string>

#include "tests/kernels/kernels.hpp"

TEST_CASE("a table that is unknown, or that this CPU does not run, is not found") {
  CHECK(find_table("mmx") == nullptr);
  CHECK(find_table("") == nullptr);
  CHECK(std::string(find_table("scalar")->name) == "scalar");
}

TEST_CASE("sums agree with the scalar ones and do not depend on the threads") {
  const struct {
    int64_t outer, n, inner;
  } cases[] = {{1, 1, 1}, {1, 100000, 1}, {1, 0, 1}, {3, 0, 5}, {0, 4, 5}, {7, 33, 1}, {1, 5000, 3}, {1, 700, 130},
      {5, 17, 16}, {20, 257, 40}, {2, 9, 1000}};
  for (const Table* t : vector_tables()) {
    for (const auto& c : cases) {
      CAPTURE(t->name, c.outer, c.n, c.inner);
      const Floats x = random_floats(c.outer * c.n * c.inner, 8);
      const auto run = [&](const Table& k) {
        Floats y(c.outer * c.inner, 5);
        k.sum(c.outer, c.n, c.inner, x.data(), y.data());
        return y;
      };
      const float allowed = 1e-6f * float(std::max<int64_t>(c.n, 10));
      CHECK(largest_difference(run(*t), run(scalar())) <= allowed);
      CHECK(same_for_any_threads([&] { return run(*t); }));
    }
  }
}

TEST_CASE("index_select and index_add move whole rows, and add in order") {
  for (const Table* t : vector_tables()) {
    for (int64_t n : {1, 5, 16, 70, 300}) {
      const int64_t rows = 500, table_rows = 20;
      CAPTURE(t->name, n);
      Floats ids(rows);
      for (int64_t r = 0; r < rows; ++r) ids[r] = float(r * r % 7);
      const Floats x = random_floats(table_rows * n, 17), dy = random_floats(rows * n, 18);
      Floats want(rows * n), got(rows * n), dwant = x, dgot = x;
      scalar().index_select(rows, n, x.data(), ids.data(), want.data());
      t->index_select(rows, n, x.data(), ids.data(), got.data());
      CHECK(same_bits(got, want));
      scalar().index_add(rows, n, dy.data(), ids.data(), dwant.data());
      t->index_add(rows, n, dy.data(), ids.data(), dgot.data());
      CHECK(same_bits(dgot, dwant));
      CHECK(same_for_any_threads([&] {
        Floats dx = x;
        t->index_add(rows, n, dy.data(), ids.data(), dx.data());
        return dx;
      }));
    }
  }
}

TEST_CASE("random numbers are the same bits in every table") {  // which bits: philox_test.cpp
  std::vector<int64_t> widths = {65, 4099};
  for (int64_t n = 0; n <= 40; ++n) widths.push_back(n);  // one vector covers several narrow rows
  for (const Table* t : vector_tables()) {
    CAPTURE(t->name);
    for (int64_t n : widths) {
      for (int64_t rows : {1, 2, 7, 40, n > 40 ? 41 : 4097}) {
        CAPTURE(rows, n);
        const Draw d{rows, n, 0x123456789abcdef0u, 0xfedcba9876543210u, n % 3 * 1'000'000};
        Floats want(rows * n), got(want);
        scalar().uniform(d, want.data());
        t->uniform(d, got.data());
        REQUIRE(same_bits(got, want));
        Floats keeps = {1e-30f, 0.1f, 0.9f, 1.f};
        if (!want.empty()) {  // one of the numbers drawn, which is not below itself, and the next
          keeps.insert(keeps.end(), {want[0], std::nextafter(want[0], 1.f)});
        }
        for (float keep : keeps) {
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
      Floats g = random_floats(n, 19);
      for (size_t i = 0; i < g.size(); i += 2) g[i] *= 1e-8f;  // beside eps
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
