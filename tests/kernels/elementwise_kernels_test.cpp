// Elementwise kernels and copies.
#include <functional>

#include "tests/kernels/kernels.hpp"

namespace {

const int64_t lengths[] = {0, 1, 3, 4, 7, 8, 15, 16, 17, 31, 33, 100, 4096, 40000, 70000};

}

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
  const float special[] = {0.f, -0.f, inf, -inf, NaN};
  for (int i = 0; i < 40000; i += 5) a[i] = special[i % 11 % 5];
  for (int i = 0; i < 40000; i += 11) b[i] = special[i % 5];
  for (const Table* t : vector_tables()) {
    for (const Strides& s : cases) {
      const auto n = size_t(count(s));
      CAPTURE(t->name, s.dims, n);
      for (auto op : {&Table::add, &Table::sub, &Table::mul, &Table::div, &Table::eq, &Table::gt, &Table::lt}) {
        Floats want(n, 7), got(n, 8);
        (scalar().*op)(s, a.data(), b.data(), want.data());
        (t->*op)(s, a.data(), b.data(), got.data());
        for (size_t i = 0; i < n; ++i) REQUIRE(ulps(got[i], want[i]) == 0);
      }
      Floats want(n, NaN), got(n, NaN);
      scalar().masked_fill(s, a.data(), b.data(), -7, want.data());
      t->masked_fill(s, a.data(), b.data(), -7, got.data());
      REQUIRE(same_bits(got, want));
      scalar().copy(s, a.data(), want.data());
      t->copy(s, a.data(), got.data());
      REQUIRE(same_bits(got, want));
    }
  }
}

TEST_CASE("flat kernels equal the scalar ones bit by bit, special values included") {
  set_num_threads(2);
  for (const Table* t : vector_tables()) {
    for (int64_t n : lengths) {
      CAPTURE(t->name, n);
      Floats x = random_floats(n, 3), dy = random_floats(n, 4);
      const float special[] = {0.f, -0.f, 1.f, -1.f, inf, -inf, NaN, 1e-40f};
      for (size_t i = 0; i < x.size() && i < 64; i += 2) x[i] = special[i / 2 % 8];
      const auto check = [&](const auto& run) {
        Floats want(x.size(), 9), got(want);
        run(scalar(), want.data());
        run(*t, got.data());
        REQUIRE(same_bits(got, want));
      };
      check([&](auto& k, auto y) { k.neg(n, x.data(), y); });
      check([&](auto& k, auto y) { k.relu(n, x.data(), y); });
      check([&](auto& k, auto y) { k.clamp(n, x.data(), -1, 1, y); });
      check([&](auto& k, auto y) { k.clamp(n, x.data(), 0, inf, y); });
      check([&](auto& k, auto y) { k.clamp_grad(n, dy.data(), x.data(), -1, 1, y); });
      check([&](auto& k, auto y) { k.relu_grad(n, dy.data(), x.data(), y); });
      check([&](auto& k, auto y) { k.fill(n, 2.5f, y); });
    }
  }
}

namespace {

using Run = std::function<void(const Table&, int64_t, const float*, float*)>;

void add_runs(std::vector<Run>& runs, Unary Table::*f) {
  runs.push_back([f](auto& t, auto n, auto x, auto y) { (t.*f)(n, x, y); });
}
void add_runs(std::vector<Run>& runs, UnaryGrad Table::*f) {
  runs.push_back([f](auto& t, auto n, auto x, auto y) { (t.*f)(n, x, x, y); });
}
void add_runs(std::vector<Run>& runs, Binary Table::*f) {
  for (const auto& [a, b] : {std::pair(1, 1), {1, 0}, {0, 1}}) {
    runs.push_back([f, a = a, b = b](auto& t, auto n, auto x, auto y) {
      const float two = 2;
      (t.*f)(strides({n}, {a}, {b}), a ? x : &two, b ? x : &two, y);
    });
  }
}

}

TEST_CASE("an element is bitwise equal at any position, and nothing beside it is written") {
  std::vector<Run> runs;
#define STEPGRAD_KERNEL(Type, name) add_runs(runs, &Table::name);
#include "core/kernels/elementwise.inc"
  runs.push_back([](auto& t, auto n, auto x, auto y) { t.clamp(n, x, -1, 1, y); });
  runs.push_back([](auto& t, auto n, auto x, auto y) { t.clamp_grad(n, x, x, -1, 1, y); });
  runs.push_back([](auto& t, auto n, auto, auto y) { t.fill(n, 3, y); });
  add_runs(runs, &Table::relu_grad);
  runs.push_back([](auto& t, auto n, auto x, auto y) { t.where(n, x, x, x, y); });
  runs.push_back([](auto& t, auto n, auto x, auto y) { t.copy(strides({n}, {1}, {0}), x, y); });
  constexpr int64_t most = 100, margin = 40;
  const Floats x = random_floats(most, 11);
  for (const Table* t : all_tables()) {
    for (size_t which = 0; which < runs.size(); ++which) {
      Floats all(most);
      runs[which](*t, most, x.data(), all.data());
      for (int64_t n = 0; n <= 70; ++n) {
        for (const int64_t first : {0, 1, 3, 30}) {
          Floats y(n + 2 * margin, 9), want = y;
          std::copy_n(all.begin() + first, n, want.begin() + margin);
          runs[which](*t, n, x.data() + first, y.data() + margin);
          CAPTURE(t->name, which, n, first);
          REQUIRE(same_bits(y, want));
        }
      }
    }
  }
}

TEST_CASE("results too large for the caches equal the scalar ones bit by bit") {
  constexpr int64_t n = (1 << 22) + 59;
  const Floats x = random_floats(n + 7, 12);
  set_num_threads(2);
  const auto check = [&](auto run) {
    const Floats want = written(n, 0, [&](float* y) { run(scalar(), y); });
    for (const Table* t : vector_tables()) {
      for (const int shift : {0, 3}) {
        CAPTURE(t->name, shift);
        REQUIRE(same_bits(written(n, shift, [&](float* y) { run(*t, y); }), want));
      }
    }
  };
  check([&](auto& k, auto y) { k.neg(n, x.data(), y); });
  check([&](auto& k, auto y) { k.relu_grad(n, x.data() + 1, x.data(), y); });
  check([&](auto& k, auto y) { k.fill(n, 3, y); });
  for (const Strides& s : {strides({n}, {1}, {0}), strides({2, 1 << 15, 64}, {64, 128, 1}, {0, 0, 1}),
           strides({2, n / 2}, {7, 1}, {0, 1})}) {
    check([&](auto& k, auto y) { k.add(s, x.data(), x.data() + 1, y); });
    check([&](auto& k, auto y) { k.copy(s, x.data(), y); });
  }
  check([&](auto& k, auto y) { k.copy(strides({1 << 12, 1 << 10}, {1, 0}, {0, 0}), x.data(), y); });
  for (const Table* t : vector_tables()) {  // its sums are not in the scalar order
    const auto result = [&](int shift) {
      return written(1 << 22, shift, [&](float* y) { t->log_softmax(1 << 12, 1 << 10, x.data(), y); });
    };
    CAPTURE(t->name);
    CHECK(same_bits(result(0), result(3)));
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
    t->log_softmax_grad(10, 100, b.data(), got.data(), want.data());
    t->log_softmax_grad(10, 100, b.data(), got.data(), got.data());
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
      strides({70000}, {0}, {0}),                            // one number
      strides({10, 20}, {100, 2}, {0, 0}),                   // slice with a step
      strides({10, 20}, {100, 3}, {0, 0}),
      strides({1, 20}, {1, 5}, {0, 0}),
  };
  set_num_threads(2);
  for (const Table* t : vector_tables()) {
    for (const Strides& s : cases) {
      Floats want(count(s)), got(want);
      scalar().copy(s, x.data(), want.data());
      t->copy(s, x.data(), got.data());
      CHECK(same_bits(got, want));
    }
  }
}
