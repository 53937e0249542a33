#include "demos/benchmark/measurements.hpp"

#include <unistd.h>

#include <cstdio>

#include "core/kernels/table.hpp"
#include "demos/benchmark/machine.hpp"

namespace stepgrad::demo {
namespace {

std::vector<std::string> instruction_sets() {
  std::vector<std::string> found;
  for (const char* name : {"avx512", "avx2", "sse2", "neon"}) {
    if (kernels::find_table(name)) found.push_back(name);
  }
  return found;
}

void show_progress(const std::string& what) {
  if (isatty(STDERR_FILENO)) std::fprintf(stderr, "\r\033[K%s", what.c_str());
}

}  // namespace

Machine examine(int threads) {
  Machine machine{cpu_name(), cores(), static_cast<double>(free_memory_kib()) / 0x1p20, {}};
  for (const std::string& simd : instruction_sets()) {
    double peak = 0;
    for (int i = 0; i < 3; ++i) peak = std::max(peak, peak_rate(threads, simd).best);
    machine.peaks.emplace_back(simd, peak);
  }
  return machine;
}

bool fits(const FfnShape& shape) {
  const auto free = static_cast<double>(free_memory_kib());
  return free == 0 || shape.kib() <= free;
}

Comparison compare(const FfnShape& shape, const Effort& effort) {
  Comparison c{shape, effort.threads, {}, contestants(effort.threads), {}, {}};
  c.figures.resize(c.who.size());
  c.median_percents.resize(c.who.size());
  int peaks = 0;
  for (int round = 0; round < effort.rounds; ++round) {
    for (size_t i = 0; i < c.who.size(); ++i) {
      if (!c.who[i].installed()) continue;
      show_progress(text(shape) + ": " + c.who[i].name);
      const Rate peak = peak_rate(effort.threads);
      c.peak.best = std::max(c.peak.best, peak.best);
      c.peak.mean += (peak.mean - c.peak.mean) / ++peaks;
      const Figure figure = measure(c.who[i], shape, effort.seconds);
      c.figures[i] = better(c.figures[i], figure);
      const double share = share_of_peak(shape, figure.median, peak.mean);
      c.median_percents[i] += (share - c.median_percents[i]) / (round + 1);
    }
  }
  show_progress("");
  return c;
}

std::vector<InstructionSet> compare_instruction_sets(const FfnShape& shape, int threads) {
  std::vector<InstructionSet> sets;
  for (const std::string& simd : instruction_sets()) {
    for (int count = 1;; count = threads) {
      show_progress(simd + ", threads: " + std::to_string(count));
      Figure best;
      for (Contestant who : contestants(count)) {
        if (!who.is_ours()) continue;
        who.command = "STEPGRAD_SIMD=" + simd + ' ' + who.command;
        best = better(best, measure(who, shape, 2));
      }
      sets.push_back({simd, count, peak_rate(count, simd).best, best.best});
      if (count == threads) break;
    }
  }
  show_progress("");
  return sets;
}

}  // namespace stepgrad::demo
