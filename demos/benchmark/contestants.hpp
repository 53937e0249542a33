#pragma once

#include <cstdint>
#include <string>
#include <vector>

// The contestants and their speed. Each figure comes from its own process, without memory left from
// another or two competing OpenMP runtimes.
namespace stepgrad::demo {

// x: [batch, length, d_model], the hidden layer d_ff wide.
struct FfnShape {
  int64_t batch, length, d_model, d_ff;
  double flop() const;  // of a step: five products
  double kib() const;   // that the hungriest contestant needs, about
};
std::string text(const FfnShape& shape);  // [4, 10, 512] d_ff 2048

struct Contestant {
  std::string name;
  std::string command;  // of the shell; a job is appended
  std::string file;     // which must exist
  std::string package;  // of Debian, that brings it; empty for stepgrad itself
  bool installed() const;
  bool is_ours() const { return package.empty(); }
};
std::vector<Contestant> contestants(int threads);

struct Figure {
  double best = 0, median = 0;  // seconds a step; 0: `missing` says why
  double memory_kib = 0;        // at the peak
  std::string missing;
};

// Keeps the better of both in each member.
Figure better(const Figure& a, const Figure& b);

Figure measure(const Contestant& who, const FfnShape& shape, double seconds);

// Best and mean: on a shared machine, the best moments are short.
struct Rate {
  double best = 0, mean = 0;
};
// FLOP/s of multiply-adds on registers. simd: a kernel table, or "" for the best.
Rate peak_rate(int threads, const std::string& simd = "");

}  // namespace stepgrad::demo
