#pragma once

// Shared by the tests of ranks: the world, and a model, and its gradients by one process.
#include <cstdlib>
#include <cstring>
#include <functional>

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

inline bool same_bits(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), a.numel() * sizeof(Scalar)) == 0;
}

// L = mean over the examples of (x·w + b - t)². Where a micro-batch's first index is a multiple of 3, Σ some²·mean(w)
// is added: a second contribution to w, and elsewhere none to `some`.
struct LeastSquares {
  LeastSquares(int64_t examples, int64_t features)
      : x(Tensor::randn({examples, features})),
        t(Tensor::randn({examples})),
        w(parameter(features, "w")),
        b(parameter(1, "b")),
        some(parameter(2, "some")) {}

  static Tensor parameter(int64_t size, const char* name) {
    return Tensor::randn({size}).requires_grad_().set_name(name);
  }
  Tensors parameters() const { return {w, b, some}; }
  Tensor operator()(int64_t first, int64_t last) const {
    const Tensor e = matmul(x.slice(0, first, last), w) + b - t.slice(0, first, last);
    return first % 3 == 0 ? mean(e * e) + sum(some * some) * mean(w) : mean(e * e);
  }
  Tensor x, t, w, b, some;
};

// Of one process: the gradients {dw, db, dsome}, empty if there is none, and {the loss}, after
// backward() of each of m micro-batches, added in the tree of nn/distributed/distributed_data_parallel.hpp.
inline std::vector<Values> of_one(LeastSquares model, int64_t m) {
  const int64_t examples = model.x.size(0);
  for (Tensor* p : {&model.w, &model.b, &model.some}) *p = clone(*p).detach().requires_grad_();
  std::vector<std::vector<Values>> parts(m, std::vector<Values>(4));
  for (int64_t i = 0; i < m; ++i) {
    const int64_t first = i * examples / m, last = (i + 1) * examples / m;
    if (first == last) continue;
    const Scalar share = Scalar(last - first) / Scalar(examples);
    const Tensor loss = model(first, last);
    loss.backward(Tensor::full({}, share));
    parts[i][3] = {loss.data()[0] * share};
    for (size_t k = 0; k < 3; ++k) {
      const Tensor p = model.parameters()[k];
      if (p.grad().defined()) parts[i][k] = p.grad().to_vector();
      p.set_grad({});
    }
  }
  const std::function<std::vector<Values>(int64_t, int64_t)> tree = [&](int64_t a, int64_t c) {
    if (c - a == 1) return parts[a];
    std::vector<Values> left = tree(a, (a + c) / 2), right = tree((a + c) / 2, c);
    for (size_t k = 0; k < 4; ++k) {
      if (left[k].empty()) left[k] = std::move(right[k]);
      for (size_t i = 0; i < right[k].size(); ++i) left[k][i] += right[k][i];
    }
    return left;
  };
  return tree(0, m);
}

// The same of the ranks.
inline std::vector<Values> of_ranks(const LeastSquares& model, double loss) {
  std::vector<Values> all;
  for (const Tensor& p : model.parameters()) all.push_back(p.grad().defined() ? p.grad().to_vector() : Values());
  all.push_back({Scalar(loss)});
  return all;
}

}
