#include "demos/experiments/training.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "demos/parts/batch.hpp"
#include "demos/parts/learning_rate.hpp"
#include "ops/ops.hpp"

namespace stepgrad::demo {
namespace {

constexpr double peak = 3e-3;
constexpr Scalar balance_weight = 0.01f;  // as in Fedus et al. 2021

// The losses of all steps. starts: of all sequences, batch by batch.
std::vector<double> train(CausalTransformer& model, const Text& text, const Size& size,
    const std::vector<int64_t>& starts, const std::function<void(int64_t, double)>& after) {
  const FusedOps fused;
  const int64_t steps = std::ssize(starts) / size.batch;
  nn::AdamW optimizer(model.parameters());
  std::vector<double> losses;
  model.train();
  for (int64_t step = 0; step < steps; ++step) {
    const auto first = starts.begin() + step * size.batch;
    const Batch batch = batch_from(text, {first, first + size.batch}, size.context);
    const Tensor loss = cross_entropy(model(batch.ids), batch.targets);
    Tensor total = loss;
    for (const Block& block : model.blocks) {
      if (block.balance_loss.defined()) total = total + balance_weight * block.balance_loss;
    }
    optimizer.zero_grad();
    total.backward();
    optimizer.lr = learning_rate(peak, step, steps);
    optimizer.step();
    losses.push_back(loss.item());
    after(step + 1, losses.back());
  }
  return losses;
}

// Loss, accuracy and usage over the held-out part, in consecutive sequences.
void measure(CausalTransformer& model, const Text& text, const Size& size, Result& result) {
  const int64_t at_once = 4096 / size.context;
  const NoGrad no_grad;
  model.eval();
  const int64_t sequences = (text.size() - text.held_out() - 1) / size.context;
  result.usage.resize(size.n_layers);
  for (int64_t first = 0; first < sequences; first += at_once) {
    std::vector<int64_t> starts;
    for (int64_t i = first; i < std::min(first + at_once, sequences); ++i) {
      starts.push_back(text.held_out() + i * size.context);
    }
    const Batch batch = batch_from(text, starts, size.context);
    const Tensor logits = model(batch.ids);
    const double share = double(starts.size()) / double(sequences);
    const Tensor right = top_k_mask(logits, 1) * one_hot(batch.targets, logits.size(-1));
    result.loss += share * cross_entropy(logits, batch.targets).item();
    result.accuracy += share * right.sum(-1).mean().item();
    for (int64_t layer = 0; layer < size.n_layers; ++layer) {
      if (!model.blocks[layer].usage.defined()) continue;
      const std::vector<Scalar> usage = model.blocks[layer].usage.to_vector();
      result.usage[layer].resize(usage.size());
      for (size_t e = 0; e < usage.size(); ++e) result.usage[layer][e] += share * usage[e];
    }
  }
}

}

Result learn(const Text& text, const Size& size, const MakeFeedForward& make, int64_t seed, int64_t steps,
    const std::function<void(int64_t, double)>& after) {
  manual_seed(seed);
  const std::vector<int64_t> starts = random_positions(steps * size.batch, 0, text.held_out() - size.context);
  CausalTransformer model(std::ssize(text.alphabet), size, make);

  Result result;
  result.steps = steps;
  for (const Tensor& p : model.parameters()) result.parameters += p.numel();
  const auto before = std::chrono::steady_clock::now();
  const std::vector<double> losses = train(model, text, size, starts, after);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count() / double(steps);
  const int64_t last = (steps + 9) / 10;
  result.training_loss = std::accumulate(losses.end() - last, losses.end(), 0.) / double(last);
  measure(model, text, size, result);
  return result;
}

}
