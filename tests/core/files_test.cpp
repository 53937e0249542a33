#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <set>
#include <thread>

#include "core/files.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/full_disk.hpp"
#include "tests/support/test.hpp"

using namespace stepgrad;

// The names in a folder, hidden ones too, in order.
static std::string names_in(const Folder& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path))
    names.insert(entry.path().filename());
  std::string all;
  for (const std::string& name : names) all += name + ' ';
  return all;
}

// In a child that is not root, who may write everything: 0 if f(), 1 if not, 3 for a FileError.
template <class F>
static int as_user(F f) {
  const pid_t child = fork();
  if (child == 0) {
    if (geteuid() == 0 && (setgid(4321) != 0 || setuid(4321) != 0)) _exit(2);
    try {
      _exit(f() ? 0 : 1);
    } catch (const FileError&) {
      _exit(3);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
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
  CHECK(names_in(folder) == "file ");
  write_file(path, std::string(5000, 'x'));
  CHECK(read_file(path).size() == 5000);
}

TEST_CASE("A save removes only files that killed saves left") {
  const Folder folder;
  const pid_t gone = fork();
  if (gone == 0) _exit(0);
  waitpid(gone, nullptr, 0);
  const std::string dead = ".stepgrad-" + std::to_string(gone) + '-',
                    alive = ".stepgrad-" + std::to_string(getppid()) + "-1.part";
  for (const std::string& name : {dead + "1.part", dead + "22.part"})
    write_file(folder.file(name.c_str()), "half");
  for (const std::string& name : {alive, dead + "3.part", dead + "x.part", dead + "1.parts"})
    std::ofstream(folder.file(name.c_str())) << "half";
  const int other = open(folder.file((dead + "3.part").c_str()).c_str(), O_RDONLY);
  REQUIRE(flock(other, LOCK_EX) == 0);  // as a process of another machine holds it
  std::filesystem::create_directory(folder.file((dead + "4.part").c_str()));
  std::filesystem::create_symlink("file", folder.file((dead + "5.part").c_str()));
  const auto left = [&] {
    return std::distance(std::filesystem::directory_iterator(folder.path), {});
  };
  write_file(folder.file("file"), "whole");
  CHECK(left() == 7);
  CHECK(names_in(folder).find(dead + "1.part ") == std::string::npos);
  close(other);
  write_file(folder.file("file"), "whole");
  CHECK(left() == 6);
}

TEST_CASE("A name with a NUL byte is refused, and not another file's") {
  const Folder folder;
  const std::string path = folder.file("file"), longer = path + std::string("\0.txt", 5);
  write_file(path, "text");
  const std::string said = path + ": a NUL byte follows in this name";
  CHECK_ERROR(FileError, write_file(longer, "other"), said);
  CHECK_ERROR(FileError, read_file(longer), said);
  CHECK(read_file(path) == "text");
}

TEST_CASE(
    "A file is replaced, not overwritten: a reader that has the old one open reads it to its end") {
  const Folder folder;
  const std::string path = folder.file("file");
  write_file(path, "the old one");
  std::ifstream old(path);
  write_file(path, "new");
  std::string text;
  std::getline(old, text);
  CHECK(text == "the old one");
  CHECK(read_file(path) == "new");
}

TEST_CASE("A file without a folder is written in the one that the program is in") {
  const Folder folder;
  {
    const Inside inside(folder);
    write_file("file", "text");
  }
  CHECK(read_file(folder.file("file")) == "text");
}

TEST_CASE("A file that replaces another keeps its mode, and links still lead to it") {
  const Folder folder;
  const std::string path = folder.file("file"), link = folder.file("link");
  write_file(path, "old");
  std::filesystem::permissions(path, std::filesystem::perms(04640));
  std::filesystem::create_symlink("file", link);
  write_file(link, "new");
  CHECK(std::filesystem::is_symlink(link));
  CHECK(read_file(path) == "new");
  CHECK(std::filesystem::status(path).permissions() == std::filesystem::perms(04640));
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
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                         std::filesystem::directory_iterator());
  };
  const auto before = open_files();
  write_file(path, "text");
  read_file(path);
  CHECK_THROWS_AS(write_file(nowhere, "text"), FileError);
  CHECK_THROWS_AS(read_file(nowhere), FileError);
  CHECK(open_files() == before);
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
  CHECK(names_in(folder) == "file ");
}

TEST_CASE("Files beside the one saved are neither written nor waited for") {
  const Folder folder;
  const std::string path = folder.file("m"), mine = folder.file("m.part"),
                    other = folder.file("other"), pipe = folder.file("p.part");
  write_file(mine, "mine");
  write_file(path, "new");
  CHECK(read_file(mine) == "mine");
  std::filesystem::remove(mine);
  std::filesystem::create_symlink(other, mine);
  write_file(path, "newer");
  CHECK(std::filesystem::is_regular_file(std::filesystem::symlink_status(path)));
  CHECK_FALSE(std::filesystem::exists(other));
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  write_file(folder.file("p"), "text");
  CHECK(names_in(folder) == "m m.part p p.part ");
}

TEST_CASE("A dangling link is followed, and a link to itself is refused") {
  const Folder folder;
  const std::string link = folder.file("link"), around = folder.file("around");
  std::filesystem::create_directories(folder.file("there"));
  std::filesystem::create_symlink("there/second", link);
  std::filesystem::create_symlink("file", folder.file("there/second"));
  write_file(link, "text");
  CHECK(std::filesystem::is_symlink(link));
  CHECK(read_file(folder.file("there/file")) == "text");
  std::filesystem::create_symlink("around", around);
  CHECK_THROWS_AS(write_file(around, "text"), FileError);
  std::filesystem::create_symlink("nowhere/file", folder.file("lost"));
  CHECK_THROWS_AS(write_file(folder.file("lost"), "text"), FileError);
  CHECK(names_in(folder) == "around link lost there ");
}

TEST_CASE("A file that is open, but deleted, is not written under the name that it had") {
  const Folder folder;
  const std::string path = folder.file("file");
  write_file(path, "old");
  const int open_file = open(path.c_str(), O_RDWR);
  const std::string number = "/proc/self/fd/" + std::to_string(open_file);
  write_file(number, "through its number");
  CHECK(read_file(path) == "through its number");
  std::filesystem::remove(path);
  CHECK_THROWS_AS(write_file(number, "text"), FileError);
  const std::string as_linux_calls_it = path + " (deleted)";
  write_file(as_linux_calls_it, "another's");
  CHECK_THROWS_AS(write_file(number, "text"), FileError);
  close(open_file);
  CHECK(read_file(as_linux_calls_it) == "another's");
  CHECK(names_in(folder) == "file (deleted) ");
}

TEST_CASE("A user other than root keeps a file's special mode bits too") {
  const Folder folder;
  const std::string path = folder.file("special");
  std::filesystem::permissions(folder.path, std::filesystem::perms(0777));
  CHECK(0 == as_user([&] {
          const auto special = std::filesystem::perms(06755);
          write_file(path, "old");
          std::filesystem::permissions(path, special);
          write_file(path, "new");
          return std::filesystem::status(path).permissions() == special;
        }));
}

TEST_CASE("A file keeps its owner, and a read-only file is not replaced") {
  const Folder folder;
  const std::string path = folder.file("file"), locked = folder.file("locked");
  write_file(path, "old");
  write_file(locked, "old");
  std::filesystem::permissions(path, std::filesystem::perms(0666));
  std::filesystem::permissions(locked, std::filesystem::perms(0444));
  if (geteuid() == 0) {
    REQUIRE(chown(path.c_str(), 1234, 5678) == 0);
    write_file(path, "root's");
    struct stat now;
    REQUIRE(stat(path.c_str(), &now) == 0);
    CHECK(now.st_uid == 1234);
    CHECK(now.st_gid == 5678);
    CHECK((now.st_mode & 0777) == 0666);
    REQUIRE(chown(path.c_str(), 0, 5678) == 0);  // of which the group alone is another's
    write_file(path, "root's");
    REQUIRE(stat(path.c_str(), &now) == 0);
    CHECK(now.st_gid == 5678);
    REQUIRE(chown(path.c_str(), 1234, 5678) == 0);
    std::filesystem::permissions(folder.path, std::filesystem::perms(0777));
  }
  const auto refused = [](const std::string& file) {
    const auto write = [&] { return write_file(file, "new"), true; };
    return as_user(write) == 3 && read_file(file) != "new";
  };
  CHECK(refused(locked));
  if (geteuid() == 0) CHECK(refused(path));  // which somebody else may write, but not own
  CHECK(names_in(folder) == "file locked ");
  const std::string unlisted = folder.file("unlisted/file");
  std::filesystem::create_directories(folder.file("unlisted"));
  write_file(unlisted, "old");
  std::filesystem::permissions(unlisted, std::filesystem::perms(0666));
  std::filesystem::permissions(folder.file("unlisted"), std::filesystem::perms(0333));
  if (geteuid() == 0) REQUIRE(chown(unlisted.c_str(), 4321, 4321) == 0);
  CHECK(refused(unlisted));
  std::filesystem::permissions(folder.file("unlisted"), std::filesystem::perms(0777));
}
