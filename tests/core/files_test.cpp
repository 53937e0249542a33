#include "core/files.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/test.hpp"

TEST_CASE("A name with a NUL byte is refused, and not another file's") {
  const Folder folder;
  const std::string path = folder.file("file"), longer = path + std::string("\0.txt", 5);
  write_file(path, "text");
  const std::string said = path + ": a NUL byte follows in this name";
  CHECK_ERROR(FileError, write_file(longer, "other"), said);
  CHECK_ERROR(FileError, read_file(longer), said);
  CHECK(read_file(path) == "text");
}

TEST_CASE("The name of a file is UTF-8 on every system") {
  const Folder folder;
  const std::string path = folder.file("역전파");
  write_file(path, "텍스트");
  write_file(path, "하나\r\n둘");
  CHECK(read_file(path) == "하나\r\n둘");
  CHECK(folder.names() == "역전파 ");
  const std::string nowhere = folder.file("없다");
  CHECK_ERROR(FileError, read_file(nowhere), nowhere + ": cannot be read");
}

TEST_CASE("A file without a folder is written in the one that the program is in") {
  const Folder folder;
  {
    const Inside inside(folder);
    write_file("file", "text");
  }
  CHECK(read_file(folder.file("file")) == "text");
}
