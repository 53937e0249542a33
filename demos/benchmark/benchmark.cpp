// Demo: a training step's speed, beside other libraries
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <optional>

#include "core/kernels/table.hpp"
#include "core/tape/modes.hpp"
#include "core/text_stream.hpp"
#include "demos/benchmark/machine.hpp"
#include "demos/benchmark/measurements.hpp"
#include "demos/parts/command_line.hpp"

using namespace stepgrad;
using namespace stepgrad::demo;

namespace {

struct Options {
  bool quick = false;
  int threads = cores();
  std::optional<FfnShape> shape;

  bool everything() const { return !quick && !shape; }
  Effort effort() const { return quick ? Effort{threads, 1, 0.2} : Effort{threads, 3, 0.7}; }
};

constexpr FfnShape large{64, 256, 512, 2048};
const std::vector<FfnShape> usual{
    large, {4, 10, 512, 2048}, {32, 128, 256, 1024}, {8, 512, 768, 3072}, {3, 7, 33, 65}};

FfnShape parse_shape(const std::string& given) {
  FfnShape s{};
  int end = 0;
  const bool four = std::sscanf(given.c_str(), "%" SCNd64 ",%" SCNd64 ",%" SCNd64 ",%" SCNd64 "%n",
                                &s.batch, &s.length, &s.d_model, &s.d_ff, &end) == 4;
  if (!four || given[static_cast<size_t>(end)] ||
      std::min({s.batch, s.length, s.d_model, s.d_ff}) < 1) {
    throw CLI::ValidationError("--shape", "wanted are four positive numbers, not " + given);
  }
  return s;
}

void add_options(CLI::App& app, Options& options) {
  app.add_flag("--quick", options.quick, "the usual shapes only, in about a minute");
  app.add_option("--threads", options.threads, "how many to use")
      ->capture_default_str()
      ->check(CLI::Range(1, cores()));
  app.add_option_function<std::string>(
      "--shape", [&](const std::string& given) { options.shape = parse_shape(given); },
      "measure this one only: BATCH,LENGTH,D_MODEL,D_FF");
}

std::vector<FfnShape> chosen_shapes(const Options& options) {
  if (options.shape) {
    if (fits(*options.shape)) return {*options.shape};
    TextStream sentence;
    sentence << std::setprecision(3) << "--shape: " << text(*options.shape) << " takes about "
             << options.shape->kib() / 0x1p20 << " GiB of memory, and "
             << static_cast<double>(free_memory_kib()) / 0x1p20 << " GiB are free";
    throw std::runtime_error(sentence.str());
  }
  return usual;
}

// The tables as they come.
void run(const Options& options, const std::vector<FfnShape>& shapes) {
  std::ostream& out = std::cout;
  const OtherLoad others;
  print(out, examine(options.threads), options.threads);
  for (const FfnShape& shape : shapes) {
    if (!fits(shape)) {
      out << '\n' << text(shape) << " does not fit into the memory that is free\n";
      continue;
    }
    print(out, compare(shape, options.effort()));
    out << std::flush;
  }
  if (options.everything() && fits(large))
    print(out, compare_instruction_sets(large, options.threads), large);
  out << "\nOther programs took " << std::lround(100 * others.share())
      << " % of the machine meanwhile.\n";
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("How fast a training step is, beside the CPU's limits and beside other libraries.",
               "demos/run benchmark");
  Options options;
  add_options(app, options);
  return main_of(app, argc, argv, [&] {
    kernels::table();  // STEPGRAD_SIMD may name one that is not there
    fused_ops();       // and STEPGRAD_FUSED be neither 0 nor 1
    run(options, chosen_shapes(options));
    return 0;
  });
}
