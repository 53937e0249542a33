#include "nn/files/state.hpp"

#include <map>

#include "core/check.hpp"
#include "core/tape/modes.hpp"

namespace stepgrad::nn {

uint64_t hash(const Tensors& tensors, uint64_t before, Loc loc) {
  const OpCall call(loc);
  check_operands("hash", tensors);
  for (const Tensor& x : tensors) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(x.data());
    for (size_t i = 0; i < size_t(x.numel()) * sizeof(Scalar); ++i) before = (before ^ bytes[i]) * 1099511628211u;
  }
  return before;
}

void overwrite(const std::string& path, const NamedTensors& found_there, const NamedTensors& tensors, Loc loc) {
  const OpCall call(loc);
  std::map<std::string, Tensor> loaded;
  for (const auto& [name, tensor] : found_there) loaded.emplace(name, tensor);
  for (const auto& [name, tensor] : tensors) {
    const auto found = loaded.find(name);
    check<FileError>(found != loaded.end(), path, ": has no tensor named '", name, "'");
    check<ValueError>(tensor.defined() && found->second.defined(), path, ": '", name, "' is undefined");
    check<FileError>(found->second.shape() == tensor.shape(), path, ": ", name, " is ", found->second.shape(),
        " there and ", tensor.shape(), " here");
  }
  check<FileError>(
      loaded.size() == tensors.size(), path, ": has ", loaded.size(), " tensors, and ", tensors.size(), " are wanted");
  const NoGrad no_grad;
  for (const auto& [name, tensor] : tensors) tensor.copy_(loaded.at(name));
}

}
