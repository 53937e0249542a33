#include "nn/files/npy.hpp"
#include "core/files.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/locale.hpp"
#include "tests/support/test.hpp"

using namespace stepgrad;
using nn::load_npy, nn::save_npy;

namespace {

// Begins an .npy file with a header of its own length.
std::string begun(const std::string& header, char version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += {version, '\0', static_cast<char>(header.size() & 255),
            static_cast<char>(header.size() >> 8 & 255)};
  if (version > 1) bytes += {'\0', '\0'};
  return bytes + header;
}

std::string npy_header(const std::string& type, const std::string& shape,
                       const std::string& fortran = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
}

Tensor load(const std::string& bytes) {
  const Folder folder;
  write_file(folder.file("x"), bytes);
  return load_npy(folder.file("x"));
}

// The error for these bytes, without the path.
std::string npy_error(const std::string& bytes) {
  const std::string said = message<FileError>([&] { load(bytes); });
  const size_t at = said.find("byte ");
  return at == said.npos ? said : said.substr(at);
}

const std::string four(4, '\0');

}  // namespace

TEST_CASE("An .npy file keeps the shape and every float, in any locale") {
  const Folder folder;
  const std::string path = folder.file("x");
  const DottedThousands other;
  for (const Tensor& x :
       {Tensor::of({{infinity, -0.0, NAN}, {1e-40, 3e38, 0.1}}), Tensor::full({}, 7),
        Tensor::ones({3, 0}), Tensor::randn({1, 2, 3, 2, 1, 2}), Tensor::ones({1234})}) {
    save_npy(path, x);
    CHECK(read_file(path).size() % 64 == static_cast<size_t>(x.numel()) * 4 % 64);
    const Tensor back = load_npy(path);
    CHECK(back.shape() == x.shape());
    CHECK(text(back) == text(Tensor::from(x.to_vector(), x.shape())));
  }
}

TEST_CASE("A row is written as an array of its own") {
  const Folder folder;
  const std::string path = folder.file("x");
  const Tensor x = Tensor::of({{1, 2}, {3, 4}, {5, 6}});
  save_npy(path, x.slice(0, 1, 3));
  CHECK(load_npy(path).to_vector() == Values{3, 4, 5, 6});
  save_npy(path, x[1]);
  const float row[] = {3, 4};
  const std::string bytes = read_file(path);
  CHECK(bytes.substr(bytes.size() - 8) == std::string(reinterpret_cast<const char*>(row), 8));
  CHECK(bytes.size() % 64 == 8);
}

TEST_CASE("Types, byte orders, quotes and versions of other writers are read") {
  const std::string two("\x02\x01", 2);
  CHECK(load(begun(npy_header("<i2", "(1,)")) + two).item() == 258);
  CHECK(load(begun(npy_header(">i2", "(1,)")) + two).item() == 513);
  CHECK(load(begun(npy_header("=i2", "(1,)")) + two).item() == 258);  // this machine's
  CHECK(load(begun(npy_header("|u1", "(2,)")) + two).to_vector() == Values{2, 1});
  CHECK(load(begun(npy_header("<f2", "()")) + std::string("\x00\xC0", 2)).item() == -2);
  CHECK(load(begun(npy_header("|b1", "()")) + "\1").item() == 1);
  CHECK(load(begun(npy_header("<f4", "()"), 2) + four).item() == 0);
  CHECK(load(begun("{\"shape\":(),\"descr\":\"<f4\",\"fortran_order\":False}", 3) + four).dim() ==
        0);
  const Tensor blanks =
      load(begun("{ 'descr' : '<i2' , 'fortran_order' : True , 'shape' : ( 1 , 2 ) } ") + four);
  CHECK(blanks.shape() == Shape{1, 2});
  CHECK(blanks.kind() == Kind::integer);
}

// llohse/libnpy#37, #45 and rogersce/cnpy#85: headers were searched instead of read, of a length
// that was trusted.
TEST_CASE(
    "A header of any length, cut off or with something else in it, is refused in a sentence") {
  const std::pair<std::string, const char*> refused[] = {
      {"", "byte 0: this is not an .npy file"},
      {"\x93NUMPY", "byte 6: 1 bytes are wanted, and 0 are there"},
      {std::string("\x93NUMPY\4\0", 8), "byte 8: version 4.0 is not known"},
      {std::string("\x93NUMPY\1\1", 8), "byte 8: version 1.1 is not known"},
      {std::string("\x93NUMPY\2\0\xff\xff\xff\xff", 12),
       "byte 12: a header of 4294967295 bytes, and 0 are there"},
      {std::string("\x93NUMPY\1\0\0\0", 10), "byte 10: '{' is expected"},
      {begun("{'descr': '<f4'"), "byte 25: ',' or '}' is expected"},
      {begun("{'descr': '<f4}"), "byte 25: ''' is expected"},
      {begun("{}\n"), "byte 13: a key is missing in the header"},
      {begun("{} x"), "byte 13: the header has something behind its end"},
      {begun("{'descr': '<f4', 'descr': '<f4'}"),
       "byte 27: the key 'descr' is there twice or not known"},
      {begun("{'fortran_order': True, 'fortran_order': True}"),
       "byte 34: the key 'fortran_order' is there twice or not known"},
      {begun("{'shape': (), 'shape': ()}"), "byte 24: the key 'shape' is there twice or not known"},
      {begun("{'descr': '<f4', 'fortran_order': True}"), "byte 49: a key is missing in the header"},
      {begun("{'sha\\x70e': ()}"), "byte 15: ''' is expected"},
      {begun("{'magic': 1}"), "byte 11: the key 'magic' is there twice or not known"},
  };
  for (const auto& [bytes, said] : refused) CHECK(npy_error(bytes) == said);
  for (const char* type : {"<f3", "<c8", "|O", "|S10", "f4", "<f16", "<V2", ""}) {
    CHECK(npy_error(begun(npy_header(type, "()")) + four) ==
          "byte 20: the type '" + std::string(type) + "' is not known");
  }
  CHECK(npy_error(begun("{'descr': [('x', '<f4')]}")) == "byte 20: a string is expected");
  CHECK_THAT(npy_error(begun(npy_header("<f4", "()", "false"))),
             ContainsSubstring("True or False"));
}

TEST_CASE("Sizes that are negative, wrap around or need more than the file has are refused") {
  const std::string shapes[][3] = {
      // with these data
      {"(-1,)", "", "a negative number"},
      {"(3)", "", "',' is expected"},
      {"(0, 4611686018427387904, 4)", "", "more elements than memory has addresses"},
      {"(99999999999999999999,)", "", "a number that no integer holds"},
      {"(1, 1, 1, 1, 1, 1, 1)", "", "a tensor of 7 dimensions"},
      {"(26843545600,)", four, "[26843545600] needs more bytes than the 4 that are there"},
      {"()", four + "x", "1 bytes follow"},
      {"(0,)", four, "4 bytes follow"},
  };
  for (const auto& [shape, data, said] : shapes)
    CHECK_THAT(npy_error(begun(npy_header("<f4", shape)) + data), ContainsSubstring(said));
}

TEST_CASE("An .npy file that is cut off anywhere is refused") {
  const Folder folder;
  save_npy(folder.file("x"), Tensor::of({{1, 2}, {3, 4}}));
  const std::string whole = read_file(folder.file("x"));
  for (size_t n = 0; n < whole.size(); ++n) CHECK_THROWS_AS(load(whole.substr(0, n)), FileError);
}
