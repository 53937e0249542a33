// Files by the C library alone, for WebAssembly: no other process shares them, and none outlives
// the page. Nothing here depends on the layout of `struct stat`, which differs between emscripten's
// versions.
#include <cstdio>
#include <memory>

#include "core/check.hpp"
#include "core/files.hpp"

namespace stepgrad {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

std::unique_ptr<std::FILE, Close> open(const std::string& path, const char* mode, const char* error) {
  std::unique_ptr<std::FILE, Close> file;
  if (path.find('\0') == path.npos) file.reset(std::fopen(path.c_str(), mode));
  check<FileError>(file != nullptr, path.c_str(), error);
  return file;
}

}

std::string read_file(const std::string& path) {
  const auto file = open(path, "rb", ": cannot be read");
  std::string bytes;
  char some[4096];
  try {
    while (const size_t n = std::fread(some, 1, sizeof some, file.get())) bytes.append(some, n);
  } catch (const std::exception&) {  // no memory, or more than a string ever holds
    throw OutOfMemory(bytes.size(), path + ", a file");
  }
  check<FileError>(!std::ferror(file.get()), path, ": cannot be read");  // a folder
  return bytes;
}

void write_file(const std::string& path, std::string_view bytes) {
  const auto file = open(path, "wb", ": cannot be written");
  const bool written =
      std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size() && std::fflush(file.get()) == 0;
  check<FileError>(written, path, ": cannot be written");
}

}
