#pragma once

// Shared by the tests of ranks: the world, and a model whose gradients are known by hand.
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "nn/distributed/distributed_data_parallel.hpp"
#include "ops/ops.hpp"
#include "tests/support/expect.hpp"

namespace stepgrad {

inline double timeout() {
  const char* seconds = std::getenv("TIMEOUT");
  return seconds ? std::atof(seconds) : 60;
}

inline nn::Distributed& world() {
  static int argc = 1;
  static char name[] = "what_one_computes", *names[] = {name, nullptr}, **argv = names;
  static nn::Distributed world(argc, argv, timeout());
  return world;
}

// All ways of sending, which must not change the results.
inline std::vector<nn::DistributedOptions> ways(int64_t micro_batches) {
  std::vector<nn::DistributedOptions> all;
  for (const double cap : {0., 1e-4, 1.}) {
    for (const bool overlap : {true, false}) all.push_back({micro_batches, cap, overlap});
  }
  return all;
}

using Doubles = std::vector<double>;

inline Doubles doubles(const Tensor& x) {
  const Values values = x.to_vector();
  return {values.begin(), values.end()};
}

// The largest difference, of the largest element.
inline double error(const Tensor& found, const Doubles& expected) {
  const Doubles numbers = doubles(found);
  if (numbers.size() != expected.size()) return infinity;
  double difference = 0, largest = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    if (!std::isfinite(numbers[i])) return infinity;
    difference = std::max(difference, std::abs(numbers[i] - expected[i]));
    largest = std::max(largest, std::abs(expected[i]));
  }
  return difference / largest;
}

inline bool same_bits(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), a.numel() * sizeof(Scalar)) == 0;
}

// L = mean over the examples of (x·w + b - t)², one weight a feature: its gradients by hand are
// dw = 2/n·Σ (x·w + b - t)·x and db = 2/n·Σ (x·w + b - t).
struct LeastSquares {
  LeastSquares(int64_t examples, int64_t features)
      : x(Tensor::randn({examples, features})),
        t(Tensor::randn({examples})),
        w(Tensor::randn({features}).requires_grad_().set_name("w")),
        b(Tensor::randn({1}).requires_grad_().set_name("b")) {}

  Tensor operator()(int64_t first, int64_t last) const {
    const Tensor e = matmul(x.slice(0, first, last), w) + b - t.slice(0, first, last);
    return mean(e * e);
  }
  void by_hand(Doubles& dw, Doubles& db, double& loss) const {
    const int64_t n = x.size(0), features = x.size(1);
    dw.assign(features, 0), db.assign(1, 0), loss = 0;
    for (int64_t i = 0; i < n; ++i) {
      double e = double{b.data()[0]} - double{t.data()[i]};
      for (int64_t j = 0; j < features; ++j) {
        e += double{x.data()[i * features + j]} * double{w.data()[j]};
      }
      for (int64_t j = 0; j < features; ++j) dw[j] += 2 * e * x.data()[i * features + j] / n;
      db[0] += 2 * e / n;
      loss += e * e / n;
    }
  }
  Tensor x, t, w, b;
};

}
