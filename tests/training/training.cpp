// Trains a small network and prints a number that any bit of its losses, gradients and weights
// would change:
//   training STEPS              all at once
//   training STEPS CHECKPOINT   from the checkpoint on, if there is one, which each step replaces
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "nn/nn.hpp"
#include "ops/ops.hpp"

using namespace stepgrad;

namespace {

// Model, optimizer, random numbers, and how far it has come, which is where the data are.
struct Training {
  nn::TransformerBlock model{16, 2, 128, Scalar(0.1)};
  nn::AdamW optimizer{model.parameters(), 1e-2};
  int step = 0;

  nn::NamedTensors state() {
    nn::NamedTensors all = model.named_parameters();
    for (auto& [name, tensor] : optimizer.state()) all.emplace_back("optimizer." + name, tensor);
    all.emplace_back("step", Tensor::full({}, static_cast<Scalar>(step)));
    all.emplace_back("call", Tensor::full({}, static_cast<Scalar>(random_state().call)));
    return all;
  }

  void load(const std::string& path) {
    const nn::NamedTensors all = state();
    nn::load_safetensors(path, all);
    nn::NamedTensors of_optimizer;
    for (const auto& [name, tensor] : all) {
      if (name.starts_with("optimizer.")) of_optimizer.emplace_back(name.substr(10), tensor);
    }
    optimizer.load_state(of_optimizer);
    step = static_cast<int>(all.at(all.size() - 2).second.item());
    set_random_state({1, static_cast<uint64_t>(all.back().second.item())});
  }

  // The batch is drawn by its number alone.
  Tensor batch() const {
    const RandomState now = random_state();
    set_random_state({2, static_cast<uint64_t>(step)});
    const Tensor x = Tensor::randn({4, 64, 16});
    set_random_state(now);
    return x;
  }

  // Returns the hash, going on from the one `before`, of the loss and all gradients.
  uint64_t run(uint64_t before) {
    const Tensor x = batch();
    optimizer.zero_grad();
    const Tensor y = model(x) - x, loss = mean(y * y);
    loss.backward();
    std::vector<Tensor> made{loss};
    for (const Tensor& p : model.parameters()) made.push_back(p.grad());
    before = nn::hash(made, before);
    optimizer.step();
    ++step;
    return before;
  }
};

}

int main(int argc, char** argv) try {
  const int steps = std::atoi(argv[1]);
  const std::string checkpoint = argc > 2 ? argv[2] : "";
  manual_seed(1);
  Training training;
  if (std::filesystem::exists(checkpoint)) training.load(checkpoint);
  uint64_t hash = nn::hash_of_nothing;
  while (training.step < steps) {
    hash = training.run(hash);
    if (!checkpoint.empty()) nn::save_safetensors(checkpoint, training.state());
  }
  if (!checkpoint.empty())
    hash = nn::hash_of_nothing;  // of the weights alone: earlier losses were another run's
  std::cout << nn::hash(training.model.parameters(), hash) << '\n';
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
