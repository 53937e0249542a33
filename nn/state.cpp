#include "nn/state.hpp"

#include <map>
#include <set>
#include <sstream>
#include <string_view>

#include "core/check.hpp"
#include "core/files.hpp"
#include "core/tape/modes.hpp"
#include "nn/numbers.hpp"

namespace stepgrad::nn {
namespace {

constexpr std::string_view magic = "stepgrad";

uint64_t fnv1a(std::string_view bytes, uint64_t hash = hash_of_nothing) {
  for (const unsigned char byte : bytes) hash = (hash ^ byte) * 1099511628211u;
  return hash;
}

template <class Number>
void put(std::string& bytes, Number number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

Tensor take_tensor(FileReader& file) {
  const auto dims = file.take<uint32_t>();
  file.require(dims <= kernels::max_dims, "a tensor of ", dims, " dimensions");
  std::vector<int64_t> sizes;
  for (uint32_t i = 0; i < dims; ++i) {
    sizes.push_back(file.take<int64_t>());
    checked_numel(file, sizes);
  }
  return take_tensor(file, {Format::floating, sizeof(float)}, Shape(sizes));
}

}  // namespace

uint64_t hash(const std::vector<Tensor>& tensors, uint64_t before) {
  for (const Tensor& x : tensors) {
    const auto* bytes = reinterpret_cast<const char*>(x.data());
    before = fnv1a({bytes, static_cast<size_t>(x.numel()) * sizeof(Scalar)}, before);
  }
  return before;
}

void save_parameters(const std::string& path, const NamedTensors& tensors) {
  std::string bytes(magic);
  put<uint32_t>(bytes, 1);
  put(bytes, static_cast<uint32_t>(tensors.size()));
  std::set<std::string_view> names;
  for (const auto& [name, tensor] : tensors) {
    check<FileError>(names.insert(name).second, path, ": two tensors named '", name, "'");
    put(bytes, static_cast<uint32_t>(name.size()));
    bytes += name;
    put(bytes, static_cast<uint32_t>(tensor.dim()));
    for (const int64_t size : tensor.shape()) put(bytes, size);
    bytes += float_bytes(tensor);
  }
  put(bytes, fnv1a(bytes));
  write_file(path, bytes);
}

NamedTensors load_tensors(const std::string& path) {
  const std::string bytes = read_file(path);
  FileReader reader{path, bytes};
  check<FileError>(bytes.starts_with(magic), path, ": is not a file of parameters");
  reader.take(magic.size());
  const auto version = reader.take<uint32_t>();
  check<FileError>(version == 1, path, ": is of version ", version, ", and 1 is known");
  NamedTensors tensors;
  for (auto count = reader.take<uint32_t>(); count > 0; --count) {
    std::string name(reader.take(reader.take<uint32_t>()));
    tensors.emplace_back(std::move(name), take_tensor(reader));
  }
  const uint64_t hash = fnv1a(std::string_view(bytes).substr(0, reader.at));
  check<FileError>(reader.take<uint64_t>() == hash && reader.left() == 0, path, ": is damaged");
  return tensors;
}

void load_parameters(const std::string& path, const NamedTensors& tensors) {
  overwrite(path, load_tensors(path), tensors);
}

void overwrite(const std::string& path, const NamedTensors& found_there,
               const NamedTensors& tensors) {
  std::map<std::string, Tensor> loaded;
  for (const auto& [name, tensor] : found_there) loaded.emplace(name, tensor);
  for (const auto& [name, tensor] : tensors) {
    const auto found = loaded.find(name);
    check<FileError>(found != loaded.end(), path, ": has no tensor named '", name, "'");
    check<FileError>(found->second.shape() == tensor.shape(), path, ": ", name, " is ",
                     found->second.shape(), " there and ", tensor.shape(), " here");
  }
  check<FileError>(loaded.size() == tensors.size(), path, ": has ", loaded.size(), " tensors, and ",
                   tensors.size(), " are wanted");
  const NoGrad no_grad;
  for (const auto& [name, tensor] : tensors) tensor.copy_(loaded.at(name));
}

}  // namespace stepgrad::nn
