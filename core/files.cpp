#include "core/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "core/check.hpp"

namespace stepgrad {
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
    bytes.remove_prefix(size_t(n));
  }
  return true;
}

bool read_all(int file, std::string& bytes) {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::read(file, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += size_t(n);
  }
  return true;
}

// Creates a file beside `path` with an unused name: that of a killed process may be left. It is
// never open to others than `mode` and the umask say.
int create_beside(const std::string& path, mode_t mode, std::string& name) {
  static std::atomic<int> created = 0;
  int file;
  do {
    name = path + '.' + std::to_string(::getpid()) + '-' + std::to_string(++created) + ".part";
    file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  } while (file < 0 && errno == EEXIST);
  return file;
}

// A name with a NUL byte would end there for the system, and be another file's.
void check_name(const std::string& path) {
  check<FileError>(path.find('\0') == path.npos, path.c_str(), ": a NUL byte follows in this name");
}

}

std::string read_file(const std::string& path) {
  check_name(path);
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat found;
  check<FileError>(
      file.number >= 0 && ::fstat(file.number, &found) == 0 && S_ISREG(found.st_mode), path, ": cannot be read");
  const auto size = size_t(found.st_size);
  std::string bytes;
  try {
    bytes.resize(size);
  } catch (const std::exception&) {  // no memory, or more than a string ever holds
    throw OutOfMemory(size, path + ", a file");
  }
  check<FileError>(read_all(file.number, bytes), path, ": cannot be read");
  return bytes;
}

void write_file(const std::string& path, std::string_view bytes) {
  check_name(path);
  struct stat old;
  const bool replaces = ::stat(path.c_str(), &old) == 0;
  const bool allowed = replaces ? S_ISREG(old.st_mode) && ::access(path.c_str(), W_OK) == 0 : errno == ENOENT;
  const std::string parent = std::filesystem::path(path).parent_path();
  const Descriptor folder(::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const mode_t mode = replaces ? old.st_mode & 0777 : 0666;
  std::string part;
  const Descriptor file(allowed ? create_beside(path, mode, part) : -1);
  check<FileError>(file.number >= 0, path, ": cannot be written");
  const bool written = write_all(file.number, bytes) && (!replaces || ::fchmod(file.number, mode) == 0) &&
      ::fsync(file.number) == 0 && std::rename(part.c_str(), path.c_str()) == 0;
  if (!written) std::remove(part.c_str());
  check<FileError>(written, path, ": cannot be written");
  ::fsync(folder.number);  // the new name, where the file system can
}

}
