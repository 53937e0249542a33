#include "nn/files.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "core/check.hpp"

namespace stepgrad::nn {

std::string read_file(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  std::string bytes(error ? 0 : size, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  check<FileError>(!error && file.good(), path, ": cannot be read");
  return bytes;
}

void write_file(const std::string& path, std::string_view bytes) {
  const std::string part = path + ".part";
  std::ofstream file(part, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  const bool written = file.good() && std::rename(part.c_str(), path.c_str()) == 0;
  if (!written) std::remove(part.c_str());
  check<FileError>(written, path, ": cannot be written");
}

}  // namespace stepgrad::nn
