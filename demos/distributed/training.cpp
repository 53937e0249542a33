#include "demos/distributed/training.hpp"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <new>

#include "core/text_stream.hpp"
#include "demos/distributed/comparison.hpp"
#include "demos/distributed/stepping.hpp"
#include "demos/distributed/timeline.hpp"
#include "demos/parts/cell.hpp"
#include "demos/parts/learning_rate.hpp"
#include "ops/ops.hpp"

namespace stepgrad::demo {
namespace {

std::vector<Tensor> without_names(const nn::NamedTensors& named) {
  std::vector<Tensor> tensors;
  for (const auto& [name, tensor] : named) tensors.push_back(tensor);
  return tensors;
}

}  // namespace

std::string hexadecimal(uint64_t number) {
  TextStream text;
  text << std::hex << std::setfill('0') << std::setw(16) << number;
  return text.str();
}

Training::Training(nn::Distributed& world, const Options& options, const Text& text,
                   nn::DistributedOptions how)
    : world_(world),
      options_(options),
      task_((manual_seed(options.seed), make_task(options, text))),
      optimizer_(without_names(task_->named_parameters())),
      parallel_(std::make_unique<nn::DistributedDataParallel>(world, optimizer_.parameters(), how)),
      random_(random_state()) {
  if (task_->held_out_parts() == 0) {
    throw TextError("the text is too short: nothing of it can be held out.");
  }
  const Tensor ids = Tensor::from({text.ids.begin(), text.ids.end()}, {text.size()});
  TextStream words;
  words << options.steps << " steps of --model " << options.model << " with batches of "
        << task_->examples << " in " << options.micro_batches << " parts, seed " << options.seed
        << ", a text of hash " << hexadecimal(nn::hash({ids}));
  described_ = words.str();
}

double Training::step() {
  set_random_state(random_);
  world_.step = done_;
  task_->draw_batch();
  optimizer_.zero_grad(true);
  const double loss = parallel_->backward(
      task_->examples, [&](int64_t first, int64_t last) { return task_->loss(first, last); });
  optimizer_.lr = learning_rate(task_->peak_lr, done_, options_.steps);
  optimizer_.step();
  random_ = random_state();
  ++done_;
  return loss;
}

TrainingState Training::state() {
  return {task_->named_parameters(), optimizer_, done_, random_, described_};
}

void Training::save() {
  if (world_.rank() == 0) save_training(options_.checkpoint, state());
}

void Training::load() {
  load_training(world_, options_.checkpoint, state());
  world_.step = done_;
}

double Training::held_out_loss() {
  const int64_t parts = task_->held_out_parts();
  std::string own;  // this rank's sums, as bytes
  for (int64_t part = world_.rank(); part < parts; part += world_.size()) {
    const double sum = task_->held_out_loss(part);
    own.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  }
  const std::vector<std::string> all = world_.all_gather(own);
  double total = 0;
  for (int64_t part = 0; part < parts; ++part) {
    double sum;
    std::memcpy(&sum, all[part % world_.size()].data() + part / world_.size() * sizeof sum,
                sizeof sum);
    total += sum;
  }
  return total / static_cast<double>(task_->held_out_characters());
}

namespace {

// Rank 0's text, on every rank.
Text same_text(nn::Distributed& world, const Options& options) {
  std::string bytes;
  if (world.rank() == 0) {
    bytes =
        encode_utf8(options.text.empty() ? read_sources(STEPGRAD_TREE) : read_text(options.text));
  }
  Text text(decode_utf8(world.broadcast(bytes)));
  if (text.held_out() < 200) throw TextError("the text is too short to learn from.");
  return text;
}

void begin(const nn::Distributed& world, const Text& text, const Options& options,
           const Training& training) {
  TextStream lines;
  lines << (options.text.empty() ? "stepgrad's sources and README" : options.text) << ": "
        << text.size() << " characters, " << text.alphabet.size() << " different ones.\n"
        << world.size() << (world.size() == 1 ? " rank" : " ranks") << " on " << world.host(0);
  for (int rank = 1; rank < world.size(); ++rank) {
    if (world.host(rank) != world.host(rank - 1)) lines << ", " << world.host(rank);
  }
  lines << "; a step has " << training.examples() << " examples in " << options.micro_batches
        << " micro-batches.";
  show_words(lines.str());
  std::cout << std::flush;
}

void train(nn::Distributed& world, const Options& options) {
  const FusedOps fused;
  const bool speaks = world.rank() == 0;
  const Text text = same_text(world, options);
  if (options.compare) return compare(world, options, text);
  Training training(world, options, text,
                    {.micro_batches = options.micro_batches,
                     .bucket_cap_mb = options.bucket_kb / 1024,
                     .overlap = !options.no_overlap});
  if (options.resume) training.load();
  if (speaks) begin(world, text, options, training);
  if (speaks && options.resume) std::cout << "@saved " << training.done() << std::endl;
  if (options.step == world.rank()) wait_for_debugger();
  Timeline events;
  if (!options.timeline.empty()) training.parallel().timeline = &events;
  world.barrier();
  const double beginning = nn::seconds_now();
  const int64_t first = training.done();
  while (training.done() < options.steps) {
    const double loss = training.step();
    const int64_t done = training.done();
    if (speaks) std::cout << "@step " << done << ' ' << fixed(loss, 3) << std::endl;
    if (done % options.every != 0 && done != options.steps) continue;
    training.save();
    if (speaks) std::cout << "@saved " << done << std::endl;
  }
  const double seconds = nn::seconds_now() - beginning;
  if (!options.timeline.empty()) write_timeline(world, options.timeline, events, beginning);
  const double perplexity = std::exp(training.held_out_loss());
  if (!speaks) return;
  TextStream lines;
  lines << options.steps - first << " steps in " << fixed(seconds, 1)
        << " s; perplexity on the held-out part: " << fixed(perplexity, 3)
        << "\nweights: " << hexadecimal(training.hash()) << ", for any number of ranks\n";
  show_text(lines.str());
  std::cout << std::flush;
}

}  // namespace

int train_as_rank(const Options& options, int argc, char** argv) {
  std::cout << "@here " << std::getenv("OMPI_COMM_WORLD_RANK") << std::endl;
  nn::Distributed world(argc, argv, options.step ? 0 : options.timeout);
  if (world.rank() == 0) std::cout << "@all" << std::endl;
  try {
    train(world, options);
  } catch (const std::bad_alloc&) {
    world.abort("ran out of memory");
  } catch (const std::exception& error) {
    world.abort(error.what());
  }
  return 0;
}

}  // namespace stepgrad::demo
