#include "demos/distributed/options.hpp"

namespace stepgrad::demo {

void add_options(CLI::App& app, Options& options) {
  const auto number = [&](const char* name, int64_t& value, int64_t least, const char* what) {
    return app.add_option(name, value, what)
        ->check(CLI::Range(least, int64_t{1'000'000'000}))
        ->default_str(value < least ? "" : std::to_string(value));
  };
  number("--ranks", options.ranks, 1, "processes")->group("Who");
  number("--threads", options.threads, 1, "of each; else the cores are shared out")->group("Who");
  auto* hosts =
      app.add_option("--hosts", options.hosts, "lines NAME slots=N of machines to use, by ssh");
  hosts->group("Who");
  app.add_option("--timeout", options.timeout, "seconds until a silent rank is given up; 0: never")
      ->check(CLI::Range(0., 1e6))
      ->capture_default_str()
      ->group("Who");

  app.add_option("--model", options.model, "characters or transformer")
      ->check(CLI::IsMember({"characters", "transformer"}))
      ->capture_default_str()
      ->group("What");
  app.add_option("--text", options.text, "a UTF-8 file to learn from, instead of the sources")
      ->group("What");
  number("--steps", options.steps, 1, "of training")->group("What");
  number("--seed", options.seed, 0, "of all random numbers")->group("What");
  number("--batch", options.batch, 1, "examples of a step; else 128 characters or 16 sequences")
      ->group("What");
  number("--micro-batches", options.micro_batches, 1, "of a step; ranks share them out")
      ->group("What");

  app.add_option("--bucket-kb", options.bucket_kb, "gradients sent at once; 0: each by itself")
      ->check(CLI::Range(0., 1e6))
      ->capture_default_str()
      ->group("How");
  app.add_flag("--no-overlap", options.no_overlap, "sends when backward has ended, not meanwhile")
      ->group("How");
  app.add_option("--checkpoint", options.checkpoint, "the file from which --resume goes on")
      ->capture_default_str()
      ->group("How");
  number("--every", options.every, 1, "steps from one checkpoint to the next")->group("How");
  auto* resume = app.add_flag("--resume", options.resume,
                              "goes on from the checkpoint, with any number of ranks");
  resume->group("How");
  auto* timeline =
      app.add_option("--timeline", options.timeline,
                     "a file of what each rank did when, for ui.perfetto.dev or chrome://tracing");
  timeline->group("To look at");
  auto* compare = app.add_flag("--compare", options.compare,
                               "all at once, in buckets, overlapped: times and bits");
  compare->excludes(timeline)->excludes(resume)->group("To look at");
  app.add_option("--out", options.out, "the folder for --compare's numbers and picture")
      ->capture_default_str()
      ->group("To look at");
  app.add_option("--step", options.step, "a rank that opens in gdb at its first reduction")
      ->check(CLI::Range(int64_t{0}, int64_t{1'000'000}))
      ->excludes(hosts)
      ->excludes(compare)
      ->group("To look at");
}

}  // namespace stepgrad::demo
