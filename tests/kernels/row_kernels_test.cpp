// Kernels that take whole rows, and choices between tensors.
#include "tests/kernels/kernels.hpp"

TEST_CASE("softmax is within 4 ulp, and log_softmax, too, but for results near 0") {
  const int64_t rows = 40;
  for (const int64_t n : {1, 7, 100, 2000}) {
    const Floats x = random_floats(rows * n, 6, 30);
    Floats y(x.size()), log_y(x.size());
    for (const Table* t : vector_tables()) {
      t->softmax(rows, n, x.data(), y.data());
      t->log_softmax(rows, n, x.data(), log_y.data());
      double most = 0, log_most = 0;
      for (int64_t r = 0; r < rows; ++r) {
        double total = 0;
        for (int64_t c = 0; c < n; ++c) total += std::exp(double(x[r * n + c]));
        for (int64_t i = r * n; i < (r + 1) * n; ++i) {
          const double v = x[i], exact = v - std::log(total);
          most = std::max(most, ulps(y[i], std::exp(v) / total));
          if (std::fabs(log_y[i] - exact) < 2e-7) continue;
          log_most = std::max(log_most, ulps(log_y[i], exact));
        }
      }
      CAPTURE(t->name, n);
      CHECK(most <= 4);
      CHECK(log_most <= 4);
    }
  }
}

TEST_CASE("layer_norm is within 4 ulp of results from 1 on, and as exact below") {
  const int64_t rows = 40;
  const float eps = 1e-5f;
  for (const int64_t n : {2, 7, 100, 512, 2000}) {
    Floats x = random_floats(rows * n, 7), y(x.size()), mean(rows), rstd(rows);
    const Floats w(n, 1), b(n, 0);
    for (float& v : x) v += 3;
    for (const Table* t : vector_tables()) {
      t->layer_norm(rows, n, eps, x.data(), w.data(), b.data(), y.data(), mean.data(), rstd.data());
      double most = 0;
      for (int64_t r = 0; r < rows; ++r) {
        const float* row = x.data() + r * n;
        double middle = 0, var = 0;
        for (int64_t c = 0; c < n; ++c) middle += double(row[c]) / n;
        for (int64_t c = 0; c < n; ++c) var += (row[c] - middle) * (row[c] - middle) / n;
        for (int64_t c = 0; c < n; ++c) {
          const double exact = (row[c] - middle) / std::sqrt(var + eps);
          const double ulp = std::max(std::fabs(exact), 1.) * 0x1p-23;
          const double apart = std::fabs(y[r * n + c] - exact) / ulp;
          most = std::isnan(apart) ? inf : std::max(most, apart);
        }
      }
      CAPTURE(t->name, n);
      CHECK(most <= 4);
    }
  }
}

TEST_CASE("where chooses, and elements not chosen may be NaN") {
  for (size_t n : {0, 1, 7, 33, 40000}) {
    Floats mask = random_floats(n, 3, 1), a = random_floats(n, 4, 1), b(n, NaN), got(n, 9);
    for (size_t i = 0; i < n; i += 2) mask[i] = i % 4 ? 0.f : -0.f;
    for (size_t i = 1; i < n; i += 6) mask[i] = NaN;  // which is not 0
    for (const Table* t : all_tables()) {
      t->where(int64_t(n), mask.data(), a.data(), b.data(), got.data());
      for (size_t i = 0; i < n; ++i) REQUIRE(close(got[i], i % 2 ? a[i] : NaN, 0, 0));
    }
  }
}

TEST_CASE("amax finds what is larger than all else, at each place of a row") {
  for (const Table* t : all_tables()) {
    for (int64_t n = 1; n <= 140; ++n) {
      Floats x(n, -3), most(1);
      for (int64_t i = 0; i < n; x[i++] = -3) {
        for (const float large : {-2.f, inf, NaN}) {
          x[i] = large;
          t->amax(1, n, 1, x.data(), most.data());
          CAPTURE(t->name, n, i, large);
          REQUIRE(close(most[0], large, 0, 0));
        }
      }
    }
  }
}

namespace {

struct Normalized {
  Floats y, mean, rstd, dx, dw, db;
};

// layer_norm and its gradient, from inputs that depend on the shape alone.
Normalized normalized(const Table& t, int64_t rows, int64_t n) {
  Floats x = random_floats(rows * n, 8, 20);
  for (int64_t i = 0; i < rows * n; ++i) x[i] *= i / n % 3 ? 1 : 1e25f;  // its square overflows
  const Floats dy = random_floats(rows * n, 9, 1), w = random_floats(n, 10), b = random_floats(n, 11);
  Normalized r{Floats(x.size()), Floats(rows), Floats(rows), dy, Floats(n, NaN), Floats(n, NaN)};
  t.layer_norm(rows, n, 1e-2f, x.data(), w.data(), b.data(), r.y.data(), r.mean.data(), r.rstd.data());
  t.layer_norm_grad(
      rows, n, r.dx.data(), x.data(), w.data(), r.mean.data(), r.rstd.data(), r.dx.data(), r.dw.data(), r.db.data());
  return r;
}

}

TEST_CASE("layer_norm and its gradient agree with the scalar ones, on any number of threads") {
  const int64_t shapes[][2] = {{0, 5}, {1, 1}, {3, 17}, {5, 64}, {64, 3}, {65, 100}, {1000, 133}};
  for (const auto& [rows, n] : shapes) {
    const Normalized want = normalized(scalar(), rows, n);
    for (const Table* t : vector_tables()) {
      CAPTURE(t->name, rows, n);
      const Normalized got = normalized(*t, rows, n);
      check_close(got.y, want.y, 1e-5f, 1e-6f);
      check_close(got.mean, want.mean, 1e-5f, 1e-6f);
      check_close(got.rstd, want.rstd, 1e-5f);
      check_close(got.dx, want.dx, 1e-4f, 1e-5f);
      check_close(got.dw, want.dw, 1e-4f, 1e-5f);
      check_close(got.db, want.db, 1e-4f, 1e-5f);
      CHECK(same_for_any_threads([&] { return normalized(*t, rows, n).dw; }));
      CHECK(same_for_any_threads([&] { return normalized(*t, rows, n).db; }));
    }
  }
}

TEST_CASE("softmax, log_softmax and their gradients agree with the scalar ones at the extremes too") {
  for (const int64_t n : {1, 2, 7, 16, 33, 100, 1000}) {
    for (const float scale : {1.f, 30.f, 10000.f}) {
      Floats x = random_floats(50 * n, 15), dy = random_floats(50 * n, 16);
      for (float& v : x) v *= scale;
      if (n > 2) std::fill_n(x.begin(), n, -1e9f), x[size_t(n)] = -1e9f;  // masked: a row, and a number
      const auto run = [&](const Table& t) {
        std::vector<Floats> all(4, Floats(x.size()));
        t.softmax(50, n, x.data(), all[0].data());
        t.softmax_grad(50, n, dy.data(), all[0].data(), all[1].data());
        t.log_softmax(50, n, x.data(), all[2].data());
        t.log_softmax_grad(50, n, dy.data(), all[2].data(), all[3].data());
        return all;
      };
      const std::vector<Floats> want = run(scalar());
      for (const Table* t : vector_tables()) {
        CAPTURE(t->name, n, scale);
        const std::vector<Floats> got = run(*t);
        check_close(got[0], want[0], 1e-5f, 1e-37f);
        check_close(got[1], want[1], 1e-5f, 1e-6f);
        CHECK(largest_difference(got[2], want[2]) <= 3e-6f * scale);
        CHECK(largest_difference(got[3], want[3]) <= 2e-7f * float(n) + 2e-5f);
      }
    }
  }
}
