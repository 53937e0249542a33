#include "core/files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

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

bool read_all(int file, std::string& bytes) {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::read(file, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<size_t>(n);
  }
  return true;
}

// Some file systems cannot flush folders; that is no error.
bool flush_folder(int folder) {
  return ::fsync(folder) == 0 || errno == EINVAL || errno == ENOSYS || errno == ENOTSUP;
}

// The target of a path through symbolic links, whether or not it exists.
fs::path followed(fs::path path) {
  std::error_code error;
  for (int links = 0; links < 40 && fs::is_symlink(path, error); ++links)
    path = path.parent_path() / fs::read_symlink(path, error);
  return path;
}

bool same(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Whether `file` is still at `target`. It is not if it was deleted and is only open:
// /proc/self/fd/3 then leads to its former name. Another process may replace the file meanwhile.
bool is_at(const fs::path& target, const std::string& path, struct stat& file) {
  struct stat there, now;
  while (::stat(target.c_str(), &there) == 0) {
    if (same(there, file)) return true;
    if (::stat(path.c_str(), &now) != 0 || same(now, file)) return false;
    file = now;
  }
  return false;
}

// Creates a file with an unused name in the folder, locked while it is open: see remove_leftovers.
int create(const fs::path& folder, fs::path& name) {
  static std::atomic<int> created = 0;
  for (;;) {
    name = folder /
           (".stepgrad-" + std::to_string(::getpid()) + '-' + std::to_string(++created) + ".part");
    const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0) ::flock(file, LOCK_EX | LOCK_NB);
    if (file >= 0 || errno != EEXIST) return file;
  }
}

// Removes what saves that were killed have left in the folder: files of create() whose process is
// gone, and which no process of another machine has locked.
void remove_leftovers(const fs::path& folder) {
  DIR* const entries = ::opendir(folder.empty() ? "." : folder.c_str());
  if (!entries) return;
  while (const dirent* entry = ::readdir(entries)) {
    const char* name = entry->d_name;
    int pid = 0, number = 0, length = 0;
    std::sscanf(name, ".stepgrad-%d-%d.part%n", &pid, &number, &length);
    if (length == 0 || name[length] || pid <= 0) continue;
    if (::kill(pid, 0) == 0 || errno != ESRCH) continue;
    const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    const Descriptor file(::openat(::dirfd(entries), name, flags));
    if (file.number >= 0 && ::flock(file.number, LOCK_EX | LOCK_NB) == 0)
      ::unlinkat(::dirfd(entries), name, 0);  // no folder
  }
  ::closedir(entries);
}

// A name with a NUL byte would end there for the system, and be another file's.
void check_name(const std::string& path) {
  check<FileError>(path.find('\0') == path.npos, path.c_str(), ": a NUL byte follows in this name");
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
  check_name(path);
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat found;
  check<FileError>(file.number >= 0 && ::fstat(file.number, &found) == 0 && S_ISREG(found.st_mode),
                   path, ": cannot be read");
  const auto size = static_cast<size_t>(found.st_size);
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
  const auto require = [&](bool holds) { check<FileError>(holds, path, ": cannot be written"); };
  struct stat old;
  const bool replaces = ::stat(path.c_str(), &old) == 0;
  const bool is_new = !replaces && errno == ENOENT;
  const fs::path target = followed(path), folder = target.parent_path();
  require(is_new || (replaces && S_ISREG(old.st_mode) && is_at(target, path, old) &&
                     ::access(target.c_str(), W_OK) == 0));
  const Descriptor opened(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  require(opened.number >= 0);
  remove_leftovers(folder);
  fs::path part;
  const Descriptor file(create(folder, part));
  require(file.number >= 0);
  // The mode last: a write by a user other than root clears its special bits.
  const bool written = write_all(file.number, bytes) &&
                       (!replaces || take_over_owner_and_mode(file.number, old)) &&
                       ::fsync(file.number) == 0 && std::rename(part.c_str(), target.c_str()) == 0;
  if (!written) std::remove(part.c_str());
  require(written);
  check<FileError>(flush_folder(opened.number), path,
                   ": is written, but may be the old one again after a loss of power");
}

}  // namespace stepgrad
