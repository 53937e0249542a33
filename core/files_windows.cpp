// Instead of files.cpp on Windows.
#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <algorithm>
#include <atomic>

#include "core/check.hpp"
#include "core/files.hpp"
#include "core/path.hpp"

namespace stepgrad {
namespace fs = std::filesystem;
namespace {

class File {
 public:
  File(const fs::path& name, DWORD access, DWORD share, DWORD how)
      : handle_(CreateFileW(name.c_str(), access, share, nullptr, how, FILE_ATTRIBUTE_NORMAL, nullptr)) {}
  File(const File&) = delete;
  ~File() { close(); }

  bool is_open() const { return handle_ != INVALID_HANDLE_VALUE; }
  bool size(LARGE_INTEGER& bytes) const {  // false: no regular file
    return is_open() && GetFileType(handle_) == FILE_TYPE_DISK && GetFileSizeEx(handle_, &bytes);
  }
  bool read(char* to, size_t bytes) const {
    return in_parts(bytes,
        [&](size_t done, DWORD part, DWORD& moved) { return ReadFile(handle_, to + done, part, &moved, nullptr); });
  }
  bool write(std::string_view bytes) const {
    return in_parts(bytes.size(), [&](size_t done, DWORD part, DWORD& moved) {
      return WriteFile(handle_, bytes.data() + done, part, &moved, nullptr);
    });
  }
  bool flush() const { return FlushFileBuffers(handle_); }
  void close() {
    if (is_open()) CloseHandle(handle_);
    handle_ = INVALID_HANDLE_VALUE;
  }

 private:
  // A DWORD counts to 4 GiB.
  template <class Move>
  static bool in_parts(size_t bytes, const Move& move) {
    for (size_t done = 0; done < bytes;) {
      DWORD moved = 0;
      const size_t part = std::min(bytes - done, size_t{1} << 30);
      if (!move(done, DWORD(part), moved) || moved == 0) return false;
      done += moved;
    }
    return true;
  }
  HANDLE handle_;
};

fs::path checked(const std::string& path) {
  check<FileError>(path.find('\0') == path.npos, path.c_str(), ": a NUL byte follows in this name");
  return path_of(path);
}

}

std::string read_file(const std::string& path) {
  const File file(checked(path), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, OPEN_EXISTING);
  LARGE_INTEGER found;
  check<FileError>(file.size(found), path, ": cannot be read");
  const auto size = size_t(found.QuadPart);
  std::string bytes;
  try {
    bytes.resize(size);
  } catch (const std::exception&) {  // no memory, or more than a string ever holds
    throw OutOfMemory(size, path + ", a file");
  }
  check<FileError>(file.read(bytes.data(), size), path, ": cannot be read");
  return bytes;
}

void write_file(const std::string& path, std::string_view bytes) {
  static std::atomic<int> created = 0;
  const fs::path target = checked(path);
  const DWORD old = GetFileAttributesW(target.c_str());
  const bool is_new = old == INVALID_FILE_ATTRIBUTES && GetLastError() == ERROR_FILE_NOT_FOUND;
  check<FileError>(
      is_new || !(old & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_READONLY)), path, ": cannot be written");
  fs::path part = target;
  part += '.' + std::to_string(GetCurrentProcessId()) + '-' + std::to_string(++created) + ".part";
  // A killed process may have left this name, since numbers of processes are reused.
  File file(part, GENERIC_WRITE, 0, CREATE_ALWAYS);
  check<FileError>(file.is_open(), path, ": cannot be written");
  const bool flushed = file.write(bytes) && file.flush();
  file.close();
  // ReplaceFile keeps the old file's access rights.
  const bool written = flushed &&
      ((!is_new && ReplaceFileW(target.c_str(), part.c_str(), nullptr, 0, nullptr, nullptr)) ||
          MoveFileExW(part.c_str(), target.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH));
  if (!written) DeleteFileW(part.c_str());
  check<FileError>(written, path, ": cannot be written");
}

}
