#include "demos/benchmark/report.hpp"

#include <cstdio>
#include <ostream>

namespace stepgrad::demo {
namespace {

template <class... Args>
std::string format(const char* pattern, Args... args) {
  char line[256];
  std::snprintf(line, sizeof line, pattern, args...);
  return line;
}

// Four significant digits: 0.01234, 1.234, 1234.
std::string milliseconds(double seconds) {
  if (seconds == 0) return "-";
  const double ms = seconds * 1e3;
  return format(ms < 1 ? "%.5f" : ms < 100 ? "%.3f" : "%.1f", ms);
}

// At least two significant digits: 0.012, 0.34, 5.60.
std::string ratio(double a, double b) {
  if (a <= 0 || b <= 0) return "-";
  return format(a < 0.1 * b ? "%#.2g x" : "%.2f x", a / b);
}

double seconds_of(const Comparison& c, const std::string& name) {
  for (size_t i = 0; i < c.who.size(); ++i) {
    if (c.who[i].name == name) return c.figures[i].best;
  }
  return 0;
}

}  // namespace

double share_of_peak(const FfnShape& shape, double seconds, double peak) {
  return seconds > 0 && peak > 0 ? 100 * shape.flop() / seconds / peak : 0;
}

double Comparison::percent(size_t i) const {
  return share_of_peak(shape, figures[i].best, peak.best);
}

void print(std::ostream& out, const Machine& machine, int threads) {
  out << "A training step of the feed-forward network: forward, sum, backward to w1, b1, w2, b2;\n"
         "dropout 0.1, fp32. Times are the best of many steps; peak memory is the whole\n"
         "process's. % peak: the best step's share of the best rate of multiply-adds alone, and\n"
         "in brackets the median step's share of their mean rate, which says more where other\n"
         "programs use the machine too: over 100 where the machine was slower while the peak\n"
         "was measured.\n\n"
      << machine.cpu << ", " << machine.cores << " cores, " << format("%.1f", machine.free_gib)
      << " GiB free; " << threads << (threads == 1 ? " thread" : " threads") << "\nmultiply-adds:";
  for (const auto& [name, flops] : machine.peaks) {
    out << format("  %s %.1f", name.c_str(), flops * 1e-9);
  }
  out << " GFLOP/s\n";
}

void print(std::ostream& out, const Comparison& c) {
  out << '\n'
      << text(c.shape)
      << format(": %.4g GFLOP a step, peak %.1f GFLOP/s, %.1f in the mean\n", c.shape.flop() * 1e-9,
                c.peak.best * 1e-9, c.peak.mean * 1e-9);
  out << format("%-18s%10s%10s%8s%15s%6s%12s%9s\n", "", "ms", "median", "GFLOP/s", "% peak", "MiB",
                "to stepwise", "to fused");
  const double stepwise = seconds_of(c, "stepgrad, stepwise"),
               fused = seconds_of(c, "stepgrad, fused");
  for (size_t i = 0; i < c.who.size(); ++i) {
    const Figure& f = c.figures[i];
    if (f.best == 0) {
      const std::string why =
          f.missing.empty() ? "not installed (" + c.who[i].package + ')' : f.missing;
      out << format("%-18s  %s\n", c.who[i].name.c_str(), why.c_str());
    } else {
      const std::string percent = format("%.1f (%4.1f)", c.percent(i), c.median_percents[i]);
      out << format("%-18s%10s%10s%8.1f%15s%6.0f%12s%9s\n", c.who[i].name.c_str(),
                    milliseconds(f.best).c_str(), milliseconds(f.median).c_str(),
                    c.shape.flop() / f.best * 1e-9, percent.c_str(), f.memory_kib / 1024,
                    ratio(f.best, stepwise).c_str(), ratio(f.best, fused).c_str());
    }
  }
}

void print(std::ostream& out, const std::vector<InstructionSet>& sets, const FfnShape& shape) {
  out << "\nInstruction sets and threads, " << text(shape) << '\n'
      << format("%-10s%9s%16s%10s%10s%15s\n", "", "threads", "peak GFLOP/s", "step ms", "% peak",
                "to one thread");
  double alone = 0;
  for (const InstructionSet& set : sets) {
    if (set.threads == 1) alone = set.best;
    const double percent = share_of_peak(shape, set.best, set.peak);
    out << format("%-10s%9d%16.1f%10s%10.1f%15s\n", set.simd.c_str(), set.threads, set.peak * 1e-9,
                  milliseconds(set.best).c_str(), percent, ratio(alone, set.best).c_str());
  }
}

}  // namespace stepgrad::demo
