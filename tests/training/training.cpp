// Trains a small network and prints a number that any bit of its losses, gradients and weights
// would change:
//   training STEPS              all at once
//   training STEPS CHECKPOINT   from the checkpoint on, if there is one, which each step replaces
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "nn/nn.hpp"
#include "ops/ops.hpp"

using namespace stepgrad;

namespace {

struct Hash {
  uint64_t value = 14695981039346656037u;
  void add(const Tensor& x) {
    for (const Scalar number : x.to_vector()) {
      uint32_t bits;
      std::memcpy(&bits, &number, sizeof bits);
      value = (value ^ bits) * 1099511628211u;
    }
  }
};

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
    nn::load_parameters(path, all);
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

  void run(Hash& hash) {
    const Tensor x = batch();
    optimizer.zero_grad();
    const Tensor y = model(x) - x, loss = mean(y * y);
    loss.backward();
    hash.add(loss);
    for (const Tensor& p : model.parameters()) hash.add(p.grad());
    optimizer.step();
    ++step;
  }
};

}  // namespace

int main(int argc, char** argv) try {
  const int steps = std::atoi(argv[1]);
  const std::string checkpoint = argc > 2 ? argv[2] : "";
  manual_seed(1);
  Training training;
  if (std::filesystem::exists(checkpoint)) training.load(checkpoint);
  Hash hash;
  while (training.step < steps) {
    training.run(hash);
    if (!checkpoint.empty()) nn::save_parameters(checkpoint, training.state());
  }
  if (!checkpoint.empty()) hash = {};  // of the weights alone: earlier losses were another run's
  for (const Tensor& p : training.model.parameters()) hash.add(p);
  std::cout << hash.value << '\n';
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
