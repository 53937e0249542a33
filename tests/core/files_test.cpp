#include "core/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "tests/support/expect.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/full_disk.hpp"

using namespace stepgrad;

TEST_CASE("On a full disk the old file stays whole, and no part is left") {
  const Folder folder;
  const std::string path = folder.file("file");
  write_file(path, "old");
  {
    const FullDisk full(1000);
    CHECK(message<FileError>([&] { write_file(path, std::string(5000, 'x')); }) ==
          path + ": cannot be written");
  }
  CHECK(read_file(path) == "old");
  CHECK_FALSE(std::filesystem::exists(path + ".part"));
  write_file(path, std::string(5000, 'x'));
  CHECK(read_file(path).size() == 5000);
}

TEST_CASE("A file is replaced, not written over: who has the old one open reads it to its end") {
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

TEST_CASE("A file that replaces another has its mode, and a link leads where it led") {
  const Folder folder;
  const std::string path = folder.file("file"), link = folder.file("link");
  write_file(path, "old");
  std::filesystem::permissions(path, std::filesystem::perms(0640));
  std::filesystem::create_symlink("file", link);
  write_file(link, "new");
  CHECK(std::filesystem::is_symlink(link));
  CHECK(read_file(path) == "new");
  CHECK(std::filesystem::status(path).permissions() == std::filesystem::perms(0640));
}

TEST_CASE("What is no regular file is neither read nor replaced") {
  const Folder folder;
  const std::string pipe = folder.file("pipe");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS_AS(write_file(pipe, "x"), FileError);
  CHECK(message<FileError>([&] { read_file(pipe); }) == pipe + ": cannot be read");
  CHECK(message<FileError>([] { read_file("/dev/zero"); }) == "/dev/zero: cannot be read");
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

TEST_CASE("Two do not write the same file at the same time") {
  const Folder folder;
  const std::string path = folder.file("file");
  const int other = open((path + ".part").c_str(), O_WRONLY | O_CREAT, 0666);
  REQUIRE(flock(other, LOCK_EX) == 0);
  CHECK(message<FileError>([&] { write_file(path, "x"); }) ==
        path + ": cannot be written while somebody else writes it");
  close(other);
  write_file(path, "x");
  CHECK(read_file(path) == "x");
}
