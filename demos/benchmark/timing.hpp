#pragma once

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

// Shared by the timed programs. The benchmark starts each with the arguments
//
//   BATCH LENGTH D_MODEL D_FF SECONDS
//
// for a training step of y = dropout(relu(x·w1 + b1))·w2 + b2, loss = Σ y: forward, and backward to
// w1, b1, w2, b2. It prints "best median memory" in seconds and KiB. With SECONDS = 0 it prints,
// without dropout, the loss and a checksum of each gradient instead, so that a test sees all
// programs compute the same.
namespace timing {

struct Job {
  int64_t batch, length, d_model, d_ff;
  double seconds;
  int64_t rows() const { return batch * length; }
  bool checks() const { return seconds == 0; }
  float dropout_p() const { return checks() ? 0.f : 0.1f; }
};

// Prints the usage and exits unless there are that many arguments.
inline void expect_arguments(int wanted, int argc, char** argv, const char* usage) {
  if (argc == wanted + 1) return;
  std::fprintf(stderr, "usage: %s %s\n", argc ? argv[0] : "", usage);
  std::exit(2);
}

inline Job job_from(int argc, char** argv) {
  expect_arguments(5, argc, argv, "BATCH LENGTH D_MODEL D_FF SECONDS");
  return {std::atoll(argv[1]), std::atoll(argv[2]), std::atoll(argv[3]), std::atoll(argv[4]),
          std::atof(argv[5])};
}

// Element i of an input: spread over [-scale, scale), the same in every program.
inline float value(int64_t i, float scale) {
  const auto word = static_cast<uint32_t>(static_cast<uint64_t>(i) * 2654435761u);
  return (static_cast<float>(word >> 8) / 8388608.f - 1.f) * scale;
}
inline void fill(int64_t n, float scale, float* x) {
  for (int64_t i = 0; i < n; ++i) x[i] = value(i + 1, scale);
}
constexpr float x_scale = 1, weight_scale = 0.1f, bias_scale = 0.3f;

// Depends on every element and its position.
inline double checksum(int64_t n, const float* x) {
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += static_cast<double>(x[i]) * value(7 * i + 3, 1);
  return sum;
}

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Times step() for that many seconds, at least three times after a warm-up.
template <class Step>
void report(double seconds, const Step& step) {
  step();
  std::vector<double> times;
  for (const auto start = Clock::now(); times.size() < 3 || seconds_since(start) < seconds;) {
    const auto begin = Clock::now();
    step();
    times.push_back(seconds_since(begin));
  }
  std::sort(times.begin(), times.end());
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%.9g %.9g %ld\n", times[0], times[times.size() / 2], usage.ru_maxrss);
}

}  // namespace timing
