#include "demos/benchmark/contestants.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "core/kernels/table.hpp"
#include "core/text_stream.hpp"
#include "demos/benchmark/machine.hpp"

namespace stepgrad::demo {
namespace {

namespace fs = std::filesystem;

std::string quoted(const fs::path& path) { return '\'' + path.string() + '\''; }

fs::path beside_this_program(const std::string& name) {
  return fs::read_symlink("/proc/self/exe").parent_path() / name;
}

std::string threads_are(int threads) { return "OMP_NUM_THREADS=" + std::to_string(threads) + ' '; }

// On CPUs newer than itself, Debian's OpenBLAS uses kernels for AVX2.
std::string best_openblas() {
  return kernels::find_table("avx512") ? "OPENBLAS_CORETYPE=SkylakeX " : "";
}

Contestant program(const std::string& name, const std::string& file, int threads,
                   const std::string& rest, const std::string& package = "") {
  const fs::path path = beside_this_program(file);
  return {name, threads_are(threads) + rest + quoted(path), path, package};
}

Contestant ours(const std::string& mode, int threads) {
  Contestant stepgrad = program("stepgrad, " + mode, "benchmark_stepgrad", threads, "");
  stepgrad.command += ' ' + mode;
  return stepgrad;
}

// PyTorch as installed, and tuned: cached memory, AVX-512, and one OpenMP runtime instead of two.
Contestant torch(const std::string& name, const std::string& environment, int threads) {
  return {name,
          environment + quoted(PYTHON_WITH_TORCH) + ' ' + quoted(TORCH_PEER) + ' ' +
              std::to_string(threads),
          PYTHON_WITH_TORCH, "python3-torch"};
}

std::string tuned(int threads) {
  std::string preload;
  for (const std::string library : {TCMALLOC, OPENMP_OPENBLAS}) {
    if (fs::exists(library)) preload += (preload.empty() ? "" : ":") + library;
  }
  return threads_are(threads) + "OPENBLAS_NUM_THREADS=" + std::to_string(threads) + ' ' +
         best_openblas() + "LD_PRELOAD='" + preload + "' ";
}

}  // namespace

double FfnShape::flop() const {
  return 10. * static_cast<double>(batch) * static_cast<double>(length) *
         static_cast<double>(d_model) * static_cast<double>(d_ff);
}

double FfnShape::kib() const {
  const double M = static_cast<double>(batch) * static_cast<double>(length);
  const auto d = static_cast<double>(d_model), f = static_cast<double>(d_ff);
  return (6 * M * f + 6 * M * d + 8 * d * f) * sizeof(float) / 1024;
}

std::string text(const FfnShape& s) {
  TextStream text;
  text << '[' << s.batch << ", " << s.length << ", " << s.d_model << "] d_ff " << s.d_ff;
  return text.str();
}

bool Contestant::installed() const { return fs::exists(file); }

std::vector<Contestant> contestants(int threads) {
  std::vector<Contestant> all{ours("stepwise", threads), ours("fused", threads)};
  const Contestant peers[] = {
      program("oneDNN", "benchmark_onednn", threads, "", "libdnnl-dev"),
      program("OpenBLAS", "benchmark_openblas", threads, best_openblas(), "libopenblas-dev"),
      torch("PyTorch, tuned", tuned(threads), threads),
      torch("PyTorch, default", "env -u OMP_NUM_THREADS ", 0),
  };
  all.insert(all.end(), std::begin(peers), std::end(peers));
  return all;
}

Figure better(const Figure& a, const Figure& b) {
  if (a.best == 0 || b.best == 0) return a.best == 0 ? b : a;
  Figure both = a;
  both.best = std::min(a.best, b.best);
  both.median = std::min(a.median, b.median);
  both.memory_kib = std::min(a.memory_kib, b.memory_kib);
  return both;
}

Figure measure(const Contestant& who, const FfnShape& s, double seconds) {
  TextStream command;
  command << who.command;
  for (const int64_t size : {s.batch, s.length, s.d_model, s.d_ff}) command << ' ' << size;
  command << ' ' << seconds;
  Figure figure;
  const std::string answer = first_line(command.str());
  if (!(std::istringstream(answer) >> figure.best >> figure.median >> figure.memory_kib)) {
    figure.missing = answer.empty() ? "failed" : answer;
  }
  return figure;
}

Rate peak_rate(int threads, const std::string& simd) {
  std::string command = threads_are(threads);
  if (!simd.empty()) command += "STEPGRAD_SIMD=" + simd + ' ';
  Rate rate;
  std::istringstream(first_line(command + quoted(beside_this_program("benchmark_peak")))) >>
      rate.best >> rate.mean;
  return rate;
}

}  // namespace stepgrad::demo
