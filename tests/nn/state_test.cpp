#include <filesystem>

#include "core/files.hpp"
#include "nn/nn.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/test.hpp"

using nn::load_safetensors, nn::save_safetensors;

namespace {

Values values(auto& module) {
  Values all;
  for (const Tensor& p : module.parameters()) {
    const Values one = p.to_vector();
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

}

TEST_CASE("Two tensors of one name are not written, and the old file stays") {
  const Folder folder;
  const nn::NamedTensors two{{"w", Tensor::ones({2})}, {"v", Tensor::ones({1})}, {"w", Tensor::ones({2})}};
  const std::string path = folder.file("two");
  save_safetensors(path, {{"v", Tensor::ones({1})}});
  const std::string before = read_file(path);
  CHECK_ERROR(FileError, save_safetensors(path, two), path + ": two tensors named 'w'");
  CHECK(read_file(path) == before);
}

TEST_CASE("If one tensor does not fit, no tensor is overwritten") {
  const Folder folder;
  const std::string path = folder.file("file");
  const nn::NamedTensors saved{{"a", Tensor::ones({2})}, {"b", Tensor::ones({2})}};
  const Tensor a = Tensor::zeros({2});
  for (const nn::NamedTensors& others : {nn::NamedTensors{{"a", a}, {"b", Tensor::zeros({2, 1})}},
           nn::NamedTensors{{"a", a}, {"c", Tensor::zeros({2})}}, nn::NamedTensors{{"a", a}}}) {
    save_safetensors(path, saved);
    CHECK_THROWS_AS(load_safetensors(path, others), FileError);
    CHECK(a.to_vector() == Values{0, 0});
  }
  CHECK_ERROR(FileError, load_safetensors(path, {{"b", Tensor::ones({3})}}), path + ": b is [2] there and [3] here");
}

TEST_CASE("Loading over a saved tensor makes backward throw") {
  const Folder folder;
  const Tensor w = parameter({1, 2});
  const Tensor loss = (w * w).sum();
  save_safetensors(folder.file("file"), {{"w", w}});
  load_safetensors(folder.file("file"), {{"w", w}});
  CHECK_THROWS_AS(loss.backward(), TapeError);
}

TEST_CASE("The hash is FNV-1a of all bytes, one tensor after the other") {
  const Tensors tensors{Tensor::of({1.5, -2, -0.}), Tensor::zeros({0}), Tensor::of({{4}, {5}}), Tensor::full({}, 6)};
  uint64_t expected = 0xcbf29ce484222325;
  CHECK(nn::hash({}) == expected);
  for (const Tensor& x : tensors) {
    const std::string bytes(reinterpret_cast<const char*>(x.data()), x.numel() * sizeof(Scalar));
    for (const unsigned char byte : bytes) expected = (expected ^ byte) * 0x100000001b3;
  }
  CHECK(nn::hash(tensors) == expected);
  CHECK(nn::hash({tensors[3]}, nn::hash({tensors[0], tensors[2]})) == expected);
}

// A model with its optimizer, trained for that many steps.
template <class Optimizer>
struct Trained {
  nn::PositionwiseFeedForward model{2, 8, 0.5};
  Optimizer optimizer;
  template <class... Settings>
  explicit Trained(Settings... settings) : optimizer(model.parameters(), settings...) {}
  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      optimizer.zero_grad();
      mean(model(Tensor::of({{1, 2}, {-1, 0.5f}}))).backward();
      optimizer.step();
    }
  }
  uint64_t hash() {
    Tensors all = model.parameters();
    for (const auto& [name, tensor] : optimizer.state()) all.push_back(tensor);
    return nn::hash(all);
  }
};

template <class Optimizer, class... Settings>
void check_checkpoint(Settings... settings) {
  const Folder folder;
  const std::string path = folder.file("training");
  manual_seed(0);
  Trained<Optimizer> one(settings...), two(settings...);
  one.run(3);
  constexpr int64_t step = (1 << 24) + 1;  // which a float does not hold
  nn::save_checkpoint(path, one.model, one.optimizer, step);
  one.run(2);
  CHECK(nn::load_checkpoint(path, two.model, two.optimizer) == step);
  two.run(2);
  CHECK(one.hash() == two.hash());
}

TEST_CASE("A training goes on from a checkpoint as if it had not stopped") {
  check_checkpoint<nn::AdamW>(0.1);
  check_checkpoint<nn::SGD>(Scalar(0.1), Scalar(0.9));
  check_checkpoint<nn::SGD>(Scalar(0.1));
}

TEST_CASE("A checkpoint of another optimizer, or half of one, changes nothing") {
  const Folder folder;
  const std::string path = folder.file("training");
  Trained<nn::AdamW> one(0.1);
  Trained<nn::SGD> two(Scalar(0.1), Scalar(0.9));
  one.run(1), two.run(1);
  nn::save_checkpoint(path, one.model, one.optimizer, 1);
  one.run(1);
  const auto before = std::pair(one.hash(), two.hash());
  const RandomState random = random_state();
  CHECK_THROWS_AS(nn::load_checkpoint(path, two.model, two.optimizer), FileError);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 4);
  CHECK_THROWS_AS(nn::load_checkpoint(path, one.model, one.optimizer), FileError);
  CHECK(std::pair(one.hash(), two.hash()) == before);
  CHECK(random_state().call == random.call);
  CHECK(random_state().seed == random.seed);
}
