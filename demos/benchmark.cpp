// Demo: how fast a training step is, beside the CPU's limits and beside other libraries
#include <CLI/CLI.hpp>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <iostream>

#include "core/kernels/table.hpp"
#include "demos/benchmark/machine.hpp"
#include "demos/benchmark/measurements.hpp"

using namespace stepgrad;
using namespace stepgrad::demo;

namespace {

struct Options {
  bool quick = false, json = false;
  int threads = cores();
  std::string shape, chart = "benchmark.svg";

  bool everything() const { return !quick && shape.empty(); }
  Effort effort() const {
    return quick ? Effort{threads, 1, 0.2, 1, false} : Effort{threads, 3, 0.7, 5, true};
  }
};

constexpr FfnShape large{64, 256, 512, 2048};
const std::vector<FfnShape> usual{
    large, {4, 10, 512, 2048}, {32, 128, 256, 1024}, {8, 512, 768, 3072}, {3, 7, 33, 65}};
const std::vector<FfnShape> odd{
    {1, 1, 512, 2048}, {1, 5, 4096, 1000}, {2, 100, 1, 1}, {1, 777, 1000, 3001}, {13, 17, 7, 4096}};

// Throws, with its message for the user, what is wrong with an option.
void parse(CLI::App& app, int argc, char** argv, Options& options) {
  app.add_flag("--quick", options.quick, "the usual shapes only, in about a minute");
  app.add_flag("--json", options.json, "print JSON instead of tables");
  app.add_option("--threads", options.threads, "how many to use")->capture_default_str();
  app.add_option("--shape", options.shape, "measure this one only: BATCH,LENGTH,D_MODEL,D_FF");
  app.add_option("--chart", options.chart, "where to draw it, .svg or .png; a .csv lies beside it")
      ->capture_default_str();
  app.parse(argc, argv);
  const int there = cores();
  if (options.threads < 1 || options.threads > there) {
    throw std::runtime_error("--threads " + std::to_string(options.threads) +
                             ": this machine has " + std::to_string(there) +
                             (there == 1 ? " core" : " cores"));
  }
  if (!options.chart.ends_with(".svg") && !options.chart.ends_with(".png")) {
    throw std::runtime_error("--chart " + options.chart + ": the name must end in .svg or .png");
  }
}

FfnShape parse_shape(const std::string& given) {
  FfnShape s{};
  int end = 0;
  const bool four = std::sscanf(given.c_str(), "%" SCNd64 ",%" SCNd64 ",%" SCNd64 ",%" SCNd64 "%n",
                                &s.batch, &s.length, &s.d_model, &s.d_ff, &end) == 4;
  if (!four || given[static_cast<size_t>(end)] ||
      std::min({s.batch, s.length, s.d_model, s.d_ff}) < 1) {
    throw std::runtime_error("--shape " + given +
                             ": wanted are four positive numbers, BATCH,LENGTH,D_MODEL,D_FF");
  }
  return s;
}

bool fits(const FfnShape& shape) {
  const auto free = static_cast<double>(free_memory_kib());
  return free == 0 || shape.kib() <= free;
}

std::vector<FfnShape> chosen_shapes(const Options& options) {
  if (!options.shape.empty()) {
    const FfnShape shape = parse_shape(options.shape);
    if (fits(shape)) return {shape};
    std::ostringstream sentence;
    sentence << std::setprecision(3) << "--shape " << options.shape << ": takes about "
             << shape.kib() / 0x1p20 << " GiB of memory, and "
             << static_cast<double>(free_memory_kib()) / 0x1p20 << " GiB are free";
    throw std::runtime_error(sentence.str());
  }
  std::vector<FfnShape> shapes = usual;
  if (!options.quick) shapes.insert(shapes.end(), odd.begin(), odd.end());
  return shapes;
}

// The tables as they come, or nothing until the JSON at the end.
void run(const Options& options, const std::vector<FfnShape>& shapes) {
  std::ostream nowhere(nullptr);
  std::ostream& out = options.json ? nowhere : std::cout;
  const OtherLoad others;
  Run run{examine(options.threads), {}, {}, 0};
  print(out, run.machine, options.threads);
  for (const FfnShape& shape : shapes) {
    if (!fits(shape)) {
      out << '\n' << text(shape) << " does not fit into the memory that is free\n";
      continue;
    }
    run.comparisons.push_back(compare(shape, options.effort()));
    print(out, run.comparisons.back());
    out << std::flush;
  }
  if (options.everything()) {
    run.sets = compare_instruction_sets(large, options.threads);
    print(out, run.sets, large);
    const std::vector<Sweep> lines = sweeps(options.threads);
    for (const Sweep& sweep : lines) {
      run.comparisons.insert(run.comparisons.end(), sweep.comparisons.begin(),
                             sweep.comparisons.end());
    }
    (options.json ? std::cerr : out) << '\n' << draw(lines, options.chart) << '\n';
  }
  out << "\nWhat each node of the tape keeps for its gradient, " << text(shapes[0]) << '\n'
      << kept_by_nodes(shapes[0], options.threads);
  print_short(out, run.comparisons);
  run.other_load = others.share();
  out << "\nOther programs took " << std::lround(100 * run.other_load)
      << " % of the machine meanwhile.\n";
  if (options.json) print_json(std::cout, run);
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app("How fast a training step is, beside the CPU's limits and beside other libraries.");
  Options options;
  try {
    parse(app, argc, argv, options);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  }
  kernels::table();  // STEPGRAD_SIMD may name one that is not there
  run(options, chosen_shapes(options));
} catch (const std::exception& error) {
  std::cerr << "benchmark: " << error.what() << '\n';
  return 2;
}
