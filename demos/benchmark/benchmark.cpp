// stepgrad's training step, timed: unfused or fused, for benchmark.py.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>

#include "nn/nn.hpp"

using namespace stepgrad;

namespace {

// The same numbers as in pytorch.py, spread over [-scale, scale).
float value(int64_t i, float scale) {
  const auto word = uint32_t(uint64_t(i) * 2654435761u);
  return (float(word >> 8) / 8388608.f - 1.f) * scale;
}

Tensor filled(const Shape& shape, float scale) {
  const Tensor x = Tensor::empty(shape);
  for (int64_t i = 0; i < x.numel(); ++i) x.data()[i] = value(i + 1, scale);
  return x;
}

// Depends on every element and its position.
double checksum(const Tensor& x) {
  double sum = 0;
  for (int64_t i = 0; i < x.numel(); ++i) sum += double(x.data()[i]) * value(7 * i + 3, 1);
  return sum;
}

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Calls step() for that many seconds, at least three times after a warm-up.
void time(double seconds, const auto& step) {
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

void run(bool fused, int64_t batch, int64_t length, int64_t d_model, int64_t d_ff, double seconds) {
  nn::PositionwiseFeedForward ffn(d_model, d_ff, seconds ? 0.1f : 0);
  const Tensors wanted{ffn.w1, ffn.b1, ffn.w2, ffn.b2};
  {
    const NoGrad no_grad;
    for (const Tensor& p : wanted) p.copy_(filled(p.shape(), p.dim() == 2 ? 0.1f : 0.3f));
  }
  const Tensor x = filled({batch, length, d_model}, 1);
  const FusedOps mode(fused);
  const auto step = [&] {
    for (const Tensor& p : wanted) p.set_grad({});
    const Tensor loss = sum(ffn(x));
    loss.backward();
    return loss;
  };
  if (seconds) return time(seconds, step);
  std::printf("%.9g", double(step().item()));
  for (const Tensor& p : wanted) std::printf(" %.9g", checksum(p.grad()));
  std::printf("\n");
}

}

// Prints "best median memory" of a step, in seconds and KiB; for no SECONDS, without dropout, the
// loss and a checksum of each gradient.
int main(int argc, char** argv) try {
  const std::string mode = argc > 1 ? argv[1] : "";
  if ((mode == "unfused" || mode == "fused") && argc == 7) {
    const auto size = [&](int i) { return std::atoll(argv[i]); };
    run(mode == "fused", size(2), size(3), size(4), size(5), std::atof(argv[6]));
  } else {
    std::cerr << "usage: benchmark (unfused | fused) BATCH LENGTH D_MODEL D_FF SECONDS\n";
    return 2;
  }
} catch (const std::exception& error) {
  std::cerr << "benchmark: " << error.what() << '\n';
  return 2;
}
