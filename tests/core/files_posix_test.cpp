// What POSIX has: modes, pipes, files that are replaced while somebody reads them.
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "core/files.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/test.hpp"

namespace {

// While one lives, no file of this process grows beyond that many bytes, as on a full disk.
struct FullDisk {
  explicit FullDisk(rlim_t most) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit less{most, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &less);
  }
  ~FullDisk() { setrlimit(RLIMIT_FSIZE, &before); }
  rlimit before;
};

}

TEST_CASE("On a full disk the old file stays whole, and no part is left") {
  const Folder folder;
  const std::string path = folder.file("file");
  write_file(path, "old");
  {
    const FullDisk full(1000);
    CHECK_ERROR(FileError, write_file(path, std::string(5000, 'x')), path + ": cannot be written");
  }
  CHECK(read_file(path) == "old");
  CHECK(folder.names() == "file ");
  write_file(path, std::string(5000, 'x'));
  CHECK(read_file(path).size() == 5000);
}

TEST_CASE("If several threads write a file at once, it is one thread's whole text") {
  const Folder folder;
  const std::string path = folder.file("file"), a(100'000, 'a'), b(70'000, 'b');
  const auto write = [&](const std::string& text) {
    for (int i = 0; i < 50; ++i) {
      write_file(path, text);
      const std::string there = read_file(path);
      if (there != a && there != b) return false;
    }
    return true;
  };
  bool others = false;
  std::thread other([&] { others = write(a); });
  CHECK(write(b));
  other.join();
  CHECK(others);
  CHECK(folder.names() == "file ");
}

TEST_CASE("A file that replaces another keeps its mode, and a link becomes a file") {
  const Folder folder;
  const std::string path = folder.file("file"), link = folder.file("link");
  write_file(path, "old");
  std::filesystem::permissions(path, std::filesystem::perms(0640));
  write_file(path, "new");
  CHECK(std::filesystem::status(path).permissions() == std::filesystem::perms(0640));
  std::filesystem::create_symlink("file", link);
  write_file(link, "newer");
  CHECK(std::filesystem::is_regular_file(std::filesystem::symlink_status(link)));
  CHECK(read_file(link) == "newer");
  CHECK(read_file(path) == "new");
}

static mode_t mode_of_part;
static std::string folder_of_part;

TEST_CASE("What replaces a private file is private while it is written") {
  const Folder folder;
  const std::string path = folder.file("file");
  write_file(path, "old");
  std::filesystem::permissions(path, std::filesystem::perms(0600));
  folder_of_part = folder.path;
  {
    const FullDisk full(1000);
    std::signal(SIGXFSZ, [](int) {  // in the middle of write()
      for (const auto& entry : std::filesystem::directory_iterator(folder_of_part))
        if (struct stat found; entry.path().extension() == ".part" && stat(entry.path().c_str(), &found) == 0)
          mode_of_part = found.st_mode & 0777;
    });
    CHECK_THROWS_AS(write_file(path, std::string(5000, 'x')), FileError);
  }
  std::signal(SIGXFSZ, SIG_IGN);
  CHECK(mode_of_part == 0600);
}

TEST_CASE("A new file's mode follows the umask") {
  const Folder folder;
  const mode_t before = umask(0027);
  write_file(folder.file("file"), "text");
  umask(before);
  CHECK(std::filesystem::status(folder.file("file")).permissions() == std::filesystem::perms(0640));
}

TEST_CASE("A file that is not regular is neither read nor replaced") {
  const Folder folder;
  const std::string pipe = folder.file("pipe");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS_AS(write_file(pipe, "x"), FileError);
  CHECK_ERROR(FileError, read_file(pipe), pipe + ": cannot be read");
  CHECK_ERROR(FileError, read_file("/dev/zero"), "/dev/zero: cannot be read");
  CHECK(std::filesystem::is_fifo(pipe));
}

TEST_CASE("No file stays open, whether it could be read and written or not") {
  const Folder folder;
  const std::string path = folder.file("file"), nowhere = folder.file("nowhere/file");
  const auto open_files = [] {
    return std::distance(std::filesystem::directory_iterator("/dev/fd"), std::filesystem::directory_iterator());
  };
  const auto before = open_files();
  write_file(path, "text");
  read_file(path);
  CHECK_THROWS_AS(write_file(nowhere, "text"), FileError);
  CHECK_THROWS_AS(read_file(nowhere), FileError);
  CHECK(open_files() == before);
}

TEST_CASE("A read-only file is not replaced") {
  const Folder folder;
  const std::string path = folder.file("file");
  write_file(path, "old");
  std::filesystem::permissions(path, std::filesystem::perms(0444));
  std::filesystem::permissions(folder.path, std::filesystem::perms(0777));
  const pid_t child = fork();
  if (child == 0) {  // as somebody else than root, who may write everything
    if (geteuid() == 0 && setuid(4321) != 0) _exit(2);
    try {
      write_file(path, "new");
    } catch (const FileError&) {
      _exit(0);
    }
    _exit(1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(read_file(path) == "old");
  CHECK(folder.names() == "file ");
}
