#include "demos/distributed/task.hpp"

#include "demos/parts/batch.hpp"
#include "demos/parts/causal_transformer.hpp"
#include "demos/parts/language_model.hpp"
#include "ops/ops.hpp"

namespace stepgrad::demo {
namespace {

// How a text is cut into examples, each at a position of it.
struct Cut {
  Batch (*batch)(const Text&, const std::vector<int64_t>& positions, int64_t context);
  int64_t context;
  int64_t from, to;               // of what is learned from
  std::vector<int64_t> held_out;  // those to measure at
  int64_t at_once;                // of these
};

template <class Model>
class TaskOf : public Task {
 public:
  TaskOf(Model model, const Text& text, Cut cut)
      : model_(std::move(model)), text_(text), cut_(std::move(cut)) {}

  nn::NamedTensors named_parameters() override { return model_.named_parameters(); }

  void draw_batch() override {
    model_.train();
    batch_ = cut_.batch(text_, random_positions(examples, cut_.from, cut_.to), cut_.context);
  }

  Tensor loss(int64_t first, int64_t last) override {
    return cross_entropy(model_(batch_.ids.slice(0, first, last)),
                         batch_.targets.slice(0, first, last));
  }

  int64_t held_out_parts() const override {
    return (std::ssize(cut_.held_out) + cut_.at_once - 1) / cut_.at_once;
  }

  double held_out_loss(int64_t part) override {
    const NoGrad no_grad;
    model_.eval();
    const auto first = cut_.held_out.begin() + part * cut_.at_once;
    const auto last = first + std::min<int64_t>(cut_.at_once, cut_.held_out.end() - first);
    const Batch batch = cut_.batch(text_, {first, last}, cut_.context);
    return cross_entropy(model_(batch.ids), batch.targets).item() *
           static_cast<double>(batch.targets.numel());
  }

  int64_t held_out_characters() const override {
    const bool is_sequence = cut_.batch == batch_from;
    return std::ssize(cut_.held_out) * (is_sequence ? cut_.context : 1);
  }

 private:
  Model model_;
  const Text& text_;
  Cut cut_;
  Batch batch_;
};

std::vector<int64_t> every(int64_t n, int64_t from, int64_t to) {
  std::vector<int64_t> positions;
  for (; from + n <= to; from += n) positions.push_back(from);
  return positions;
}

std::unique_ptr<Task> characters(const Text& text) {
  constexpr int64_t context = 8;
  auto task = std::make_unique<TaskOf<LanguageModel>>(
      LanguageModel(std::ssize(text.alphabet), context), text,
      Cut{batch_before, context, context, text.held_out(), every(1, text.held_out(), text.size()),
          256});
  task->examples = batch_size;
  task->peak_lr = 1e-3;
  return task;
}

std::unique_ptr<Task> transformer(const Text& text) {
  const Size size;
  const MakeFeedForward wide = [&] {
    return nn::FeedForward(size.d_model, 4 * size.d_model, Size::dropout);
  };
  auto task = std::make_unique<TaskOf<CausalTransformer>>(
      CausalTransformer(std::ssize(text.alphabet), size, wide), text,
      Cut{batch_from, size.context, 0, text.held_out() - size.context,
          every(size.context, text.held_out(), text.size() - 1), 16});
  task->examples = size.batch;
  task->peak_lr = 3e-3;
  return task;
}

}  // namespace

std::unique_ptr<Task> make_task(const Options& options, const Text& text) {
  std::unique_ptr<Task> task = options.model == "characters" ? characters(text) : transformer(text);
  if (options.batch) task->examples = options.batch;
  return task;
}

}  // namespace stepgrad::demo
