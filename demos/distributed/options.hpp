#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

namespace stepgrad::demo {

struct Options {
  int64_t ranks = 2, threads = 0;  // of a rank; 0: the cores here are shared out
  std::string hosts;               // a file; empty: all ranks are here
  double timeout = 60;             // seconds of a rank's silence

  std::string model = "characters", text;  // empty: the sources
  int64_t steps = 200, seed = 0;
  int64_t batch = 0;  // examples; 0: the model's own size
  int64_t micro_batches = 8;
  double bucket_kb = 1024;
  bool no_overlap = false;

  std::string checkpoint = "stepgrad-output/distributed.checkpoint";
  int64_t every = 50;  // steps
  bool resume = false;
  std::string timeline;  // a file; empty: none is written
  bool compare = false;
  std::string out = "stepgrad-output";
  std::optional<int64_t> step;  // the rank that opens in gdb
};

void add_options(CLI::App& app, Options& options);

}  // namespace stepgrad::demo
