#include "core/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
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
bool flush_folder(int folder) {
  return ::fsync(folder) == 0 || errno == EINVAL || errno == ENOSYS || errno == ENOTSUP;
}

// What a path leads to through symbolic links, whether it is there or not.
fs::path followed(fs::path path) {
  std::error_code error;
  for (int links = 0; links < 40 && fs::is_symlink(path, error); ++links)
    path = path.parent_path() / fs::read_symlink(path, error);
  return path;
}

// Not if it was deleted, and is only open: /proc/self/fd/3 leads to a name of before.
bool is_at(const fs::path& path, const struct stat& file) {
  struct stat there;
  return ::stat(path.c_str(), &there) == 0 && there.st_dev == file.st_dev &&
         there.st_ino == file.st_ino;
}

// Creates a file in the folder, whose name nobody has taken: what is there is somebody else's.
int create(const fs::path& folder, fs::path& name) {
  static std::atomic<int> created = 0;
  for (;;) {
    name = folder /
           (".stepgrad-" + std::to_string(::getpid()) + '-' + std::to_string(++created) + ".part");
    const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST) return file;
  }
}

bool take_over_owner_and_mode(int file, const struct stat& old) {
  struct stat own;
  return ::fstat(file, &own) == 0 &&
         ((own.st_uid == old.st_uid && own.st_gid == old.st_gid) ||
          ::fchown(file, old.st_uid, old.st_gid) == 0) &&
         ::fchmod(file, old.st_mode & 07777) == 0;
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
  const bool is_new = !replaces && errno == ENOENT;
  const fs::path target = followed(path), folder = target.parent_path();
  require(is_new || (replaces && S_ISREG(old.st_mode) && is_at(target, old) &&
                     ::access(target.c_str(), W_OK) == 0));
  const Descriptor opened(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  require(opened.number >= 0);
  fs::path part;
  const Descriptor file(create(folder, part));
  require(file.number >= 0);
  const bool written = (!replaces || take_over_owner_and_mode(file.number, old)) &&
                       write_all(file.number, bytes) && ::fsync(file.number) == 0 &&
                       std::rename(part.c_str(), target.c_str()) == 0;
  if (!written) std::remove(part.c_str());
  require(written);
  check<FileError>(flush_folder(opened.number), path,
                   ": is written, but may be the old one again after a loss of power");
}

}  // namespace stepgrad
