// Files of safetensors, byte by byte.
#pragma once

#include "core/files.hpp"
#include "nn/files/safetensors.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/folder.hpp"

using nn::load_safetensors, nn::save_safetensors;

namespace {

inline std::string bytes_of(uint64_t number) { return {reinterpret_cast<const char*>(&number), sizeof number}; }

// A file of this header and these data.
struct File {
  File(const std::string& header, const std::string& data) : File(bytes_of(header.size()) + header + data) {}
  explicit File(const std::string& bytes) : path(folder.file("x")) { write_file(path, bytes); }

  // The error for it, without its path.
  std::string error() const {
    const std::string said = message<FileError>([&] { load_safetensors(path); });
    return said.starts_with(path) ? said.substr(path.size() + 2) : said;
  }

  Folder folder;
  std::string path;
};

inline std::string error(const std::string& header, size_t bytes = 8) {
  return File(header, std::string(bytes, '\0')).error();
}

// A header of one tensor of two floats, with its parts as given.
inline std::string header(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"a":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}";
}

// One tensor of these bytes.
inline std::string loaded(const std::string& dtype, int64_t n, const std::string& data) {
  const File file(header(dtype, "[" + std::to_string(n) + "]", "[0," + std::to_string(data.size()) + "]"), data);
  return text(load_safetensors(file.path).at(0).second);
}

template <class Number>
std::string raw(std::initializer_list<Number> numbers) {
  return {reinterpret_cast<const char*>(numbers.begin()), numbers.size() * sizeof(Number)};
}

}
