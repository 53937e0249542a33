#include "nn/state.hpp"

#include <bit>
#include <cstring>
#include <map>
#include <sstream>
#include <string_view>

#include "core/check.hpp"
#include "core/modes.hpp"
#include "nn/files.hpp"

namespace stepgrad::nn {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view magic = "stepgrad";

uint64_t fnv1a(std::string_view bytes) {
  uint64_t hash = 14695981039346656037u;
  for (const unsigned char byte : bytes) hash = (hash ^ byte) * 1099511628211u;
  return hash;
}

template <class Number>
void put(std::string& bytes, Number number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

// What is still to be read of a file.
struct Reader {
  const std::string& path;
  std::string_view rest;

  std::string_view take(size_t n) {
    check<FileError>(n <= rest.size(), path, ": is cut off");
    const std::string_view taken = rest.substr(0, n);
    rest.remove_prefix(n);
    return taken;
  }

  template <class Number>
  Number take() {
    Number number;
    std::memcpy(&number, take(sizeof number).data(), sizeof number);
    return number;
  }

  Shape shape() {
    const auto dims = take<uint32_t>();
    check<FileError>(dims <= kernels::max_dims, path, ": a tensor of ", dims, " dimensions");
    std::vector<int64_t> sizes;
    auto room = static_cast<int64_t>(rest.size());  // no more elements than that
    for (uint32_t i = 0; i < dims; ++i) {
      const auto size = take<int64_t>();
      check<FileError>(0 <= size && size <= room, path, ": a size of ", size);
      if (size > 0) room /= size;
      sizes.push_back(size);
    }
    return Shape(sizes);
  }

  Tensor tensor() {
    const Shape shape = this->shape();
    const Tensor tensor = Tensor::empty(shape);
    const std::string_view data = take(static_cast<size_t>(shape.numel()) * sizeof(float));
    for (int64_t i = 0; i < shape.numel(); ++i) {
      float value;
      std::memcpy(&value, data.data() + i * sizeof value, sizeof value);
      tensor.data()[i] = value;
    }
    return tensor;
  }
};

}  // namespace

void save_parameters(const std::string& path, const NamedTensors& tensors) {
  std::string bytes(magic);
  put<uint32_t>(bytes, 1);
  put(bytes, static_cast<uint32_t>(tensors.size()));
  for (const auto& [name, tensor] : tensors) {
    put(bytes, static_cast<uint32_t>(name.size()));
    bytes += name;
    put(bytes, static_cast<uint32_t>(tensor.dim()));
    for (const int64_t size : tensor.shape()) put(bytes, size);
    for (const Scalar value : tensor.to_vector()) put(bytes, static_cast<float>(value));
  }
  put(bytes, fnv1a(bytes));
  write_file(path, bytes);
}

NamedTensors load_tensors(const std::string& path) {
  const std::string bytes = read_file(path);
  Reader reader{path, bytes};
  check<FileError>(bytes.starts_with(magic), path, ": is not a file of parameters");
  reader.take(magic.size());
  const auto version = reader.take<uint32_t>();
  check<FileError>(version == 1, path, ": is of version ", version, ", and 1 is known");
  NamedTensors tensors;
  for (auto count = reader.take<uint32_t>(); count > 0; --count) {
    std::string name(reader.take(reader.take<uint32_t>()));
    tensors.emplace_back(std::move(name), reader.tensor());
  }
  const uint64_t hash = fnv1a(std::string_view(bytes).substr(0, bytes.size() - reader.rest.size()));
  check<FileError>(reader.take<uint64_t>() == hash && reader.rest.empty(), path, ": is damaged");
  return tensors;
}

void load_parameters(const std::string& path, const NamedTensors& tensors) {
  std::map<std::string, Tensor> loaded;
  for (auto& [name, tensor] : load_tensors(path)) loaded.emplace(name, tensor);
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
