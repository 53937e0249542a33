// Multiply-adds on registers by the kernels that STEPGRAD_SIMD names: prints the best and the mean
// rate, in FLOP/s.
#include <iostream>

#include "core/kernels/table.hpp"
#include "demos/benchmark/timing.hpp"

int main() {
  const stepgrad::kernels::Table& table = stepgrad::kernels::table();
  const auto flops = [&] { return table.peak(200'000); };
  flops();  // starts the threads
  double best = 0, all = 0;
  const auto begin = timing::Clock::now();
  for (int i = 0; i < 3 || timing::seconds_since(begin) < 0.1; ++i) {
    const auto start = timing::Clock::now();
    const double done = flops();
    best = std::max(best, done / timing::seconds_since(start));
    all += done;
  }
  std::cout << best << ' ' << all / timing::seconds_since(begin) << '\n';
}
