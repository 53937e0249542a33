#pragma once

#include <cstring>
#include <vector>

#include "demos/benchmark/timing.hpp"

// A handwritten training step around a library's matrix product: elementwise work in as few passes
// as possible, on all threads, without allocations. Leaves out the sum, whose gradient of ones is
// given: an advantage over contestants that record it.
namespace peers {

// Cheaper than a real generator, so the peers lose no time here.
inline bool kept(uint32_t element, uint32_t seed) {
  uint32_t h = (element ^ seed) * 0x9E3779B1u;
  h ^= h >> 15;
  h *= 0x85EBCA77u;
  return (h ^ h >> 13) >= 429496730u;  // a tenth of 2^32
}

constexpr int64_t worth_sharing = 20'000;  // elements; below, threads cost more than they gain

// multiply(ta, tb, m, n, k, a, b, beta, y) computes y = op(a)·op(b) + beta y, row-major and dense.
template <class Multiply>
class Chain {
 public:
  Chain(const timing::Job& job, Multiply multiply)
      : M(job.rows()), d(job.d_model), f(job.d_ff), dropping(!job.checks()), multiply(multiply) {
    timing::fill(M * d, timing::x_scale, x.data());
    timing::fill(d * f, timing::weight_scale, w1.data());
    timing::fill(d * f, timing::weight_scale, w2.data());
    timing::fill(f, timing::bias_scale, b1.data());
    timing::fill(d, timing::bias_scale, b2.data());
  }

  void step() {
    forward();
    column_sums(M, d, dy.data(), db2.data());
    multiply(true, false, f, d, M, h.data(), dy.data(), 0.f, dw2.data());
    multiply(false, true, M, f, d, dy.data(), w2.data(), 0.f, dz.data());
    mask_gradient();
    column_sums(M, f, dz.data(), db1.data());
    multiply(true, false, d, f, M, x.data(), dz.data(), 0.f, dw1.data());
  }

  void print_checksums() const {
    double loss = 0;
    for (float v : y) loss += v;
    std::printf("%.9g", loss);
    for (const Floats* g : {&dw1, &db1, &dw2, &db2}) {
      std::printf(" %.9g", timing::checksum(std::ssize(*g), g->data()));
    }
    std::printf("\n");
  }

 private:
  using Floats = std::vector<float>;
  static Floats floats(int64_t n, float value = 0) { return Floats(static_cast<size_t>(n), value); }

  // h = dropout(relu(x·w1 + b1)), y = h·w2 + b2. Later, h > 0 marks the elements that passed.
  void forward() {
    ++seed;
    multiply(false, false, M, f, d, x.data(), w1.data(), 0.f, h.data());
    const float scale = dropping ? 1 / 0.9f : 1;
#pragma omp parallel for schedule(static) if (M * f > worth_sharing)
    for (int64_t i = 0; i < M; ++i) {
      float* row = h.data() + i * f;
#pragma omp simd
      for (int64_t j = 0; j < f; ++j) {
        const float z = row[j] + b1[static_cast<size_t>(j)];
        const bool passes = z > 0 && (!dropping || kept(static_cast<uint32_t>(i * f + j), seed));
        row[j] = passes ? z * scale : 0.f;
      }
    }
#pragma omp parallel for schedule(static) if (M * d > worth_sharing)
    for (int64_t i = 0; i < M; ++i) {
      std::memcpy(y.data() + i * d, b2.data(), static_cast<size_t>(d) * sizeof(float));
    }
    multiply(false, false, M, d, f, h.data(), w2.data(), 1.f, y.data());
  }

  void mask_gradient() {
    const float scale = dropping ? 1 / 0.9f : 1;
    float* z = dz.data();
    const float* passed = h.data();
#pragma omp parallel for simd schedule(static) if (M * f > worth_sharing)
    for (int64_t i = 0; i < M * f; ++i) z[i] = passed[i] > 0 ? z[i] * scale : 0.f;
  }

  static void column_sums(int64_t m, int64_t n, const float* x, float* y) {
    constexpr int64_t strip = 64;
#pragma omp parallel for schedule(static) if (m * n > worth_sharing)
    for (int64_t begin = 0; begin < n; begin += strip) {
      const int64_t width = std::min(strip, n - begin);
      float sum[strip] = {};
      for (int64_t i = 0; i < m; ++i) {
#pragma omp simd
        for (int64_t j = 0; j < width; ++j) sum[j] += x[i * n + begin + j];
      }
      std::copy_n(sum, width, y + begin);
    }
  }

  const int64_t M, d, f;
  const bool dropping;
  const Multiply multiply;
  uint32_t seed = 0;
  Floats x = floats(M * d), w1 = floats(d * f), b1 = floats(f), w2 = floats(d * f), b2 = floats(d);
  Floats h = floats(M * f), y = floats(M * d), dy = floats(M * d, 1), dz = floats(M * f);
  Floats dw1 = floats(d * f), db1 = floats(f), dw2 = floats(d * f), db2 = floats(d);
};

template <class Multiply>
int run(int argc, char** argv, Multiply multiply) {
  const timing::Job job = timing::job_from(argc, argv);
  Chain chain(job, multiply);
  if (job.checks()) {
    chain.step();
    chain.print_checksums();
  } else {
    timing::report(job.seconds, [&] { chain.step(); });
  }
  return 0;
}

}  // namespace peers
