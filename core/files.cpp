#include "core/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/check.hpp"

namespace stepgrad {
namespace fs = std::filesystem;
namespace {

struct Descriptor {
  explicit Descriptor(int number) : number(number) {}
  Descriptor(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  const int number;
};

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

// Not every file system flushes folders, and then there is nothing to wait for.
bool flush_folder(const fs::path& folder) {
  const Descriptor opened(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY));
  return opened.number >= 0 && (::fsync(opened.number) == 0 || errno == EINVAL);
}

// Whether the file at `path` is the one that was opened, and not what has replaced it since.
bool is_at(int file, const std::string& path) {
  struct stat opened, named;
  return ::fstat(file, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

std::string read_file(const std::string& path) {
  std::error_code error;
  const bool regular = fs::is_regular_file(path, error);
  const auto size = regular ? fs::file_size(path, error) : 0;
  check<FileError>(regular && !error, path, ": cannot be read");
  std::string bytes(size, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  check<FileError>(file.good(), path, ": cannot be read");
  return bytes;
}

void write_file(const std::string& path, std::string_view bytes) {
  const auto require = [&](bool holds) { check<FileError>(holds, path, ": cannot be written"); };
  struct stat old;
  const bool replaces = ::stat(path.c_str(), &old) == 0;
  require(!replaces || S_ISREG(old.st_mode));
  // What a link leads to is replaced, not the link.
  const std::string target = replaces ? fs::canonical(path).string() : path;
  const std::string part = target + ".part";
  const Descriptor file(::open(part.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
  require(file.number >= 0);
  check<FileError>(::flock(file.number, LOCK_EX | LOCK_NB) == 0 && is_at(file.number, part), path,
                   ": cannot be written while somebody else writes it");
  const bool written = ::ftruncate(file.number, 0) == 0 &&
                       (!replaces || ::fchmod(file.number, old.st_mode & 07777) == 0) &&
                       write_all(file.number, bytes) && ::fsync(file.number) == 0 &&
                       std::rename(part.c_str(), target.c_str()) == 0;
  if (!written) std::remove(part.c_str());
  require(written && flush_folder(fs::path(target).parent_path()));
}

}  // namespace stepgrad
