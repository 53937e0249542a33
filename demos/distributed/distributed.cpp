// One of the processes, MPI's ranks, that train a small Transformer together: distributed.sh starts
// them.
#include <sys/prctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <optional>
#include <thread>

#include "core/check.hpp"
#include "core/text_stream.hpp"
#include "demos/parts/batch.hpp"
#include "demos/parts/causal_transformer.hpp"
#include "demos/parts/cell.hpp"
#include "demos/parts/command_line.hpp"
#include "demos/parts/learning_rate.hpp"
#include "demos/parts/terminal.hpp"
#include "nn/distributed/distributed_data_parallel.hpp"

using namespace stepgrad;
using namespace stepgrad::demo;

namespace {

struct Options {
  int64_t ranks = 2, steps = 200, batch = 16, micro_batches = 8, every = 50;
  double bucket_kb = 64, timeout = 60;
  bool no_overlap = false, resume = false;
  std::string text;  // empty: the sources
  std::string checkpoint = "stepgrad-output/distributed.safetensors";
  std::optional<int64_t> step;  // the rank that gdb opens
};

void add_options(CLI::App& app, Options& options) {
  const auto number = [&](const char* name, auto& value, double least, const char* what) {
    app.add_option(name, value, what)->check(CLI::Range(least, 1e6))->capture_default_str();
  };
  number("--ranks", options.ranks, 1, "processes");
  number("--steps", options.steps, 1, "of training");
  number("--batch", options.batch, 1, "sequences of a step");
  number("--micro-batches", options.micro_batches, 1, "of a step; the ranks share them out");
  number("--bucket-kb", options.bucket_kb, 0, "of gradients sent at once; 0: each by itself");
  app.add_flag("--no-overlap", options.no_overlap, "sends after backward, not during it");
  number("--timeout", options.timeout, 0, "seconds until a silent rank is given up; 0: never");
  app.add_option("--text", options.text, "a UTF-8 file to learn from, instead of the sources");
  app.add_option("--checkpoint", options.checkpoint, "the file from which --resume goes on")->capture_default_str();
  number("--every", options.every, 1, "steps from one checkpoint to the next");
  app.add_flag("--resume", options.resume, "goes on from it, with any number of ranks");
  app.add_option("--step", options.step, "the rank that gdb opens where it first adds")->check(CLI::NonNegativeNumber);
}

void require_possible(const Options& options) {
  check<ValueError>(options.ranks <= options.micro_batches, options.ranks, " ranks have only ", options.micro_batches,
      " micro-batches to share out");
  check<ValueError>(!options.step || *options.step < options.ranks, "there is no rank ", options.step.value_or(0),
      " among ", options.ranks, ", which begin with 0");
}

// Everything that the next step depends on, apart from the random numbers' state.
struct Training {
  explicit Training(const Options& options)
      : text(options.text.empty() ? read_sources(STEPGRAD_TREE) : read_text(options.text)),
        model((manual_seed(0), text.alphabet.size()), size,
            [&] { return nn::FeedForward(size.d_model, 4 * size.d_model, Size::dropout); }),
        optimizer(model.parameters()) {
    if (!options.resume) return;
    done = nn::load_checkpoint(options.checkpoint, model, optimizer);
    check<ValueError>(done < options.steps, options.checkpoint, " has ", done, " steps already");
  }

  const Size size;
  Text text;
  CausalTransformer model;
  nn::AdamW optimizer;
  int64_t done = 0;  // steps
};

size_t hash_of(const Text& text) {
  const auto* bytes = reinterpret_cast<const char*>(text.ids.data());
  return std::hash<std::u32string>()(text.alphabet) ^
      std::hash<std::string_view>()({bytes, text.ids.size() * sizeof(text.ids[0])});
}

bool has_debugger() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word == "TracerPid:") return status >> word && word != "0";
  }
  return false;
}

// For a minute at most. distributed.sh reads this line, and starts gdb.
void wait_for_debugger(int rank) {
  ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);  // gdb is not its parent
  std::cout << "rank " << rank << " waits for gdb: process " << ::getpid() << std::endl;
  for (int i = 0; i < 3000 && !has_debugger(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

void train(nn::Distributed& world, Training& training, const Options& options) {
  auto& [size, text, model, optimizer, done] = training;
  world.require_same("--steps", std::to_string(options.steps));
  world.require_same("--batch", std::to_string(options.batch));
  world.require_same(
      "--text", "of " + std::to_string(text.size()) + " characters and hash " + std::to_string(hash_of(text)));
  nn::DistributedDataParallel parallel(
      world, model.parameters(), {options.micro_batches, options.bucket_kb / 1024, !options.no_overlap});
  if (options.step == world.rank()) wait_for_debugger(world.rank());
  world.step = done;
  ProgressBar bar(options.steps);
  double loss = 0;
  while (done < options.steps) {
    const Batch batch =
        batch_from(text, random_positions(options.batch, 0, text.held_out() - size.context), size.context);
    optimizer.zero_grad();
    // clang before 16 captures no structured binding by [&] alone.
    loss = parallel.backward(options.batch, [&, &model = model](int64_t first, int64_t last) {
      return cross_entropy(model(batch.ids.slice(0, first, last)), batch.targets.slice(0, first, last));
    });
    optimizer.lr = learning_rate(3e-3, done, options.steps);
    optimizer.step();
    ++done;
    if (world.rank() != 0) continue;
    if (done % options.every == 0 || done == options.steps)
      nn::save_checkpoint(options.checkpoint, model, optimizer, done);
    bar.show(done, "loss " + fixed(loss, 3));
  }
  if (world.rank() != 0) return;
  bar.clear();
  TextStream lines;
  lines << done << " steps on " << world.size() << (world.size() == 1 ? " rank" : " ranks") << "; the last loss is "
        << fixed(loss, 3) << "\nweights: " << std::hex << std::setfill('0') << std::setw(16)
        << nn::hash(model.parameters()) << ", for any number of ranks\n";
  show_text(lines.str());
}

// What can be refused is refused before there are ranks: without mpirun, this program only says how
// many there shall be.
int run(const Options& options, int argc, char** argv) {
  require_possible(options);
  Training training(options);
  if (!std::getenv("OMPI_COMM_WORLD_RANK")) {
    std::filesystem::create_directories(std::filesystem::absolute(options.checkpoint).parent_path());
    std::cout << options.ranks << '\n';
    return 0;
  }
  nn::Distributed world(argc, argv, options.step ? 0 : options.timeout);
  try {
    train(world, training, options);
  } catch (const std::exception& error) {
    world.abort(error.what());
  }
  return 0;
}

}

int main(int argc, char** argv) {
  CLI::App app(
      "One training on several processes, by MPI: the same bits for any number of them.", "demos/run distributed");
  Options options;
  add_options(app, options);
  return main_of(app, argc, argv, [&] { return run(options, argc, argv); });
}
