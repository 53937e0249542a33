// The machine's limits: multiply-adds per second of an instruction set, or bytes per second.
#include <chrono>
#include <cstring>
#include <iostream>

#include "core/tensor/tensor.hpp"
#include "demos/benchmark/timing.hpp"

using namespace stepgrad;

namespace {

// work() returns how much it did. Prints the best and the mean rate per second.
template <class Work>
void print_rates(double seconds, const Work& work) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  work();  // starts the threads
  double best = 0, all = 0;
  const auto begin = Clock::now();
  for (int i = 0; i < 3 || since(begin) < seconds; ++i) {
    const auto start = Clock::now();
    const double done = work();
    best = std::max(best, done / since(start));
    all += done;
  }
  std::cout << best << ' ' << all / since(begin) << '\n';
}

constexpr int64_t n = int64_t{96} << 20;  // three arrays of 384 MiB: more than caches hold
constexpr double bytes = n * sizeof(Scalar);

void print_reading(const kernels::Table& table) {
  const Tensor x = Tensor::ones({n}), y = Tensor::empty({1});
  print_rates(0.3, [&] { return table.sum(1, n, 1, x.data(), y.data()), bytes; });
}

void print_adding(const kernels::Table& table) {
  const Tensor a = Tensor::ones({n}), b = Tensor::ones({n}), y = Tensor::ones({n});
  const kernels::Strides walk = strides(y.shape(), a.shape(), b.shape());
  print_rates(0.3, [&] { return table.add(walk, a.data(), b.data(), y.data()), 3 * bytes; });
}

}  // namespace

// benchmark_limits (peak | read | add)       uses the table that STEPGRAD_SIMD names
int main(int argc, char** argv) {
  timing::expect_arguments(1, argc, argv, "(peak | read | add)");
  const kernels::Table& table = kernels::table();
  if (!std::strcmp(argv[1], "peak"))
    print_rates(0.1, [&] { return table.peak(200'000); });
  else if (!std::strcmp(argv[1], "read"))
    print_reading(table);
  else
    print_adding(table);
}
