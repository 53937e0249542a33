// Trains a small network and prints a number that any bit of its losses, gradients and weights
// would change:
//   training STEPS              all at once
//   training STEPS CHECKPOINT   from the checkpoint on, if there is one, which each step replaces
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "nn/nn.hpp"

using namespace stepgrad;

namespace {

// Model, optimizer, random numbers, and how far it has come, which is where the data are.
struct Training {
  nn::TransformerBlock model{16, 2, 128, Scalar(0.1)};
  nn::AdamW optimizer{model.parameters(), 1e-2};
  int64_t step = 0;

  // The batch is drawn by its number alone.
  Tensor batch() const {
    const RandomState now = random_state();
    set_random_state({2, uint64_t(step)});
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
    Tensors made{loss};
    for (const Tensor& p : model.parameters()) made.push_back(p.grad());
    before = nn::hash(made, before);
    optimizer.step();
    ++step;
    return before;
  }
};

}

int main(int argc, char** argv) try {
  const int64_t steps = std::atoi(argv[1]);
  const std::string checkpoint = argc > 2 ? argv[2] : "";
  manual_seed(1);
  Training training;
  auto& [model, optimizer, step] = training;
  if (std::filesystem::exists(checkpoint)) step = nn::load_checkpoint(checkpoint, model, optimizer);
  uint64_t hash = nn::hash_of_nothing;
  while (step < steps) {
    hash = training.run(hash);
    if (!checkpoint.empty()) nn::save_checkpoint(checkpoint, model, optimizer, step);
  }
  if (!checkpoint.empty()) hash = nn::hash_of_nothing;  // of the weights alone: earlier losses were another run's
  std::cout << nn::hash(model.parameters(), hash) << '\n';
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
