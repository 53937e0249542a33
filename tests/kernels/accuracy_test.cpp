// Sums of many numbers keep their digits: the bounds of core/kernels/README.md, in every table.
#include "tests/kernels/kernels.hpp"

namespace {

// The bound for a sum of n numbers in blocks of `block`, grouped likewise at each level.
double bound(int64_t n, int64_t block) {
  const int64_t blocks = (n + block - 1) / block;
  return double(block) * 0x1p-24 + (blocks > 1 ? bound(blocks, block) : 0);
}

// Positive numbers: equal ones, whose roundings all go one way, and others.
std::vector<Floats> summands(int64_t n) {
  Floats equal(n, 0.1f), others = random_floats(n, 5, 0.5f);
  for (float& x : others) x += 0.5f;
  return {equal, others};
}

double exact_sum(const Floats& x, size_t begin = 0, size_t step = 1) {
  double sum = 0;
  for (size_t i = begin; i < x.size(); i += step) sum += x[i];
  return sum;
}

double error(double got, double exact) { return std::fabs(got / exact - 1); }

}

TEST_CASE("Sums and products over a million and over 2^25 numbers keep their digits") {
  for (const int64_t n : {1'000'000, 1 << 25}) {
    const Floats ones(n, 1);
    const bool all = n == 1'000'000;  // of 2^25, what is the worst: equal numbers, one form
    for (const Floats& x : all ? summands(n) : std::vector<Floats>{Floats(n, 0.1f)}) {
      const double exact = exact_sum(x), left = exact_sum(x, 0, 2), right = exact_sum(x, 1, 2);
      for (const Table* t : all_tables()) {
        CAPTURE(t->name, n);
        float y[2];
        t->sum(1, n, 1, x.data(), y);
        CHECK(error(y[0], exact) <= (16 + std::log2(n)) * 0x1p-24);
        t->sum(1, n / 2, 2, x.data(), y);
        CHECK(error(y[0], left) <= bound(n / 2, 128));
        CHECK(error(y[1], right) <= bound(n / 2, 128));
        for (Product form : {t->matmul.nn, t->matmul.nt, t->matmul.tn}) {
          if (!all && form != t->matmul.nn) continue;
          form({1, 1, n}, x.data(), ones.data(), y);
          CHECK(error(y[0], exact) <= bound(n, product_block));
        }
      }
    }
  }
}

TEST_CASE("Rows of a million numbers keep their digits") {
  const int64_t n = 1'000'000;
  const float eps = 1e-5f;
  const Floats near(n, 1000.1f), ones(n, 1), zeros(n, 0), tenths(n, 0.1f);
  Floats y(n), dx(n);
  for (const Table* t : all_tables()) {
    CAPTURE(t->name);
    float mean, rstd;
    t->layer_norm(1, n, eps, near.data(), ones.data(), zeros.data(), y.data(), &mean, &rstd);
    CHECK(error(mean, 1000.1f) <= 1e-7);
    CHECK(1 / (rstd * rstd) - eps <= 1e-7);  // the variance of equal numbers
    t->softmax(1, n, near.data(), y.data());
    CHECK(error(y[7], 1. / n) <= 3e-6);
    t->softmax_grad(1, n, tenths.data(), y.data(), dx.data());
    CHECK(std::fabs(dx[7]) <= 1e-6f / n);
    t->log_softmax(1, n, near.data(), y.data());
    CHECK(error(y[7], -std::log(n)) <= 1e-6);
    t->log_softmax_grad(1, n, tenths.data(), y.data(), dx.data());
    CHECK(std::fabs(dx[7]) <= 1e-6f);
  }
}

TEST_CASE("Gradients of weights and biases over a million rows keep their digits") {
  const int64_t rows = 1'000'000;
  const Floats x(rows, 0.1f), one(1, 1), mean(rows, 0), rstd(rows, 1);
  Floats dx(rows), saved;
  for (const Table* t : all_tables()) {
    CAPTURE(t->name);
    float dw, db;
    t->layer_norm_grad(rows, 1, x.data(), x.data(), one.data(), mean.data(), rstd.data(), dx.data(), &dw, &db);
    CHECK(error(dw, exact_sum(x) * 0.1f) <= bound(rows, 128));
    CHECK(error(db, exact_sum(x)) <= bound(rows, 128));
    const FeedForward f{20'000, 1, 1, x.data(), one.data(), one.data(), one.data(), one.data(), 1, 0, 0};
    saved.resize(t->feed_forward.saved_size(f));
    t->feed_forward.forward(f, saved.data(), dx.data());
    float grads[4];
    t->feed_forward.grad(f, saved.data(), x.data(), {dx.data(), grads, grads + 1, grads + 2, grads + 3});
    CHECK(error(grads[1], 2000.) <= bound(f.rows, 128));
    CHECK(error(grads[3], 2000.) <= bound(f.rows, 128));
  }
}

TEST_CASE("Sums in many blocks are those of plain loops, for any number of threads") {
  constexpr int64_t k = 2 * product_piece + 700, rows = 3, columns = 2;
  const Floats x = random_floats(6 * k, 6);
  const auto sums = [&](const Table& t) {
    Floats y(2 + 4 + 3 * rows * columns);
    t.sum(2, 3 * k, 1, x.data(), y.data());
    t.sum(1, k, 4, x.data(), y.data() + 2);
    float* to = y.data() + 6;
    for (Product form : {t.matmul.nn, t.matmul.nt, t.matmul.tn}) {
      form({rows, columns, k}, x.data(), x.data() + rows * k, to);
      to += rows * columns;
    }
    return y;
  };
  const Floats want = sums(scalar());
  for (const Table* t : vector_tables()) {
    CAPTURE(t->name);
    CHECK(largest_difference(sums(*t), want) < 0.01f);
    CHECK(same_for_any_threads([&] { return sums(*t); }));
  }
}
