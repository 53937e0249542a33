#include "demos/distributed/checkpoint.hpp"

#include <filesystem>
#include <sstream>

#include "core/check.hpp"
#include "core/text_stream.hpp"
#include "nn/files/safetensors.hpp"

namespace stepgrad::demo {
namespace {

// A tensor of the bytes of integers and words that a float cannot hold.
Tensor of_bytes(const std::string& bytes) {
  std::vector<Scalar> numbers;
  for (const char c : bytes) numbers.push_back(static_cast<unsigned char>(c));
  return Tensor::from(numbers, {std::ssize(numbers)});
}

std::string bytes_of(const Tensor& tensor) {
  std::string bytes;
  for (const Scalar number : tensor.to_vector()) bytes += static_cast<char>(number);
  return bytes;
}

nn::NamedTensors tensors_of(const TrainingState& state) {
  nn::NamedTensors all = state.parameters;
  for (auto& [name, tensor] : state.optimizer.state()) {
    all.emplace_back("optimizer." + name, tensor);
  }
  return all;
}

// Reads the tensors, and returns step, seed and call.
std::string read(const std::string& path, const nn::NamedTensors& all,
                 const std::string& training) {
  nn::NamedTensors found = nn::load_safetensors(path);
  std::string progress, its_training;
  std::erase_if(found, [&](const auto& entry) {
    if (entry.first == "progress") progress = bytes_of(entry.second);
    if (entry.first == "training") its_training = bytes_of(entry.second);
    return entry.first == "progress" || entry.first == "training";
  });
  check<FileError>(its_training == training, path, ": it is of ",
                   its_training.empty() ? "something else" : its_training, ", and not of ",
                   training);
  nn::overwrite(path, found, all);
  return progress;
}

}  // namespace

void save_training(const std::string& path, const TrainingState& state) {
  TextStream progress;
  progress << state.step << ' ' << state.random.seed << ' ' << state.random.call;
  nn::NamedTensors all = tensors_of(state);
  all.emplace_back("progress", of_bytes(progress.str()));
  all.emplace_back("training", of_bytes(state.training));
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;  // if there is one, writing will say what
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  nn::save_safetensors(path, all);
}

void load_training(nn::Distributed& world, const std::string& path, const TrainingState& state) {
  const nn::NamedTensors all = tensors_of(state);
  std::string progress;
  if (world.rank() == 0) progress = read(path, all, state.training);
  std::istringstream numbers(world.broadcast(progress));
  numbers >> state.step >> state.random.seed >> state.random.call;
  nn::NamedTensors of_optimizer;
  for (const auto& [name, tensor] : all) {
    world.broadcast(tensor);
    if (name.starts_with("optimizer.")) of_optimizer.emplace_back(name.substr(10), tensor);
  }
  state.optimizer.load_state(of_optimizer);
}

}  // namespace stepgrad::demo
