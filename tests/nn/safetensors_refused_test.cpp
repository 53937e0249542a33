// Damaged files are refused.
#include "tests/nn/safetensors_file.hpp"

namespace {

struct Refused {
  std::string header;
  const char* said;
  size_t bytes = 8;
};

void check_refused(const std::vector<Refused>& all) {
  for (const auto& [header, said, bytes] : all) CHECK(error(header, bytes) == said);
}

}

TEST_CASE("A header that claims 100 GB in a small file is refused before room is made for it") {
  CHECK(File(bytes_of(uint64_t{100} << 30) + "{}").error() == "byte 0: a header of 107374182400 bytes in a file of 10");
  CHECK(
      File(bytes_of(~uint64_t{0}) + "{}").error() == "byte 0: a header of 18446744073709551615 bytes in a file of 10");
  CHECK(File(bytes_of(3) + "{}").error() == "byte 0: a header of 3 bytes in a file of 10");
  CHECK(File("1234567").error() == "byte 0: 8 bytes are wanted, and 7 are there");
  CHECK(error(header("F32", "[26843545600]", "[0,107374182400]")) ==
      "byte 65: 'a' ends at 107374182400, and the file has 8 bytes of data");
}

TEST_CASE("Sizes whose product wraps around are refused, also behind a zero") {
  const std::string wraps = "[4611686018427387904,4]";
  CHECK_THAT(error(header("F32", wraps, "[0,0]"), 0), ContainsSubstring("has more elements than memory has addresses"));
  CHECK_THAT(error(header("F32", "[0,4611686018427387904,4]", "[0,0]"), 0),
      ContainsSubstring("has more elements than memory has addresses"));
  CHECK(error(header("F32", "[9223372036854775808]", "[0,8]")) == "byte 37: a number that no integer holds");
  CHECK(error(header("F32", "[1,1,1,1,1,1,2]", "[0,8]")) == "byte 50: a tensor of 7 dimensions");
}

// ml-explore/mlx#3363: offsets that do not fit the shape would read data beside it.
TEST_CASE("Offsets that do not fit the shape, overlap, leave a hole or go beyond are refused") {
  check_refused({
      {header("F32", "[2]", "[0,4]"), "byte 55: 'a' has 4 bytes for 2 numbers of 4", 4},
      {header("F32", "[1]", "[0,8]"), "byte 55: 'a' has 8 bytes for 1 numbers of 4"},
      {header("F32", "[2]", "[8,0]"), "byte 55: 'a' ends before it begins"},
      {header("F32", "[2]", "[4,12]"), "byte 55: there is a hole before 'a'", 12},
      {header("F32", "[2]", "[0,8]"), "byte 70: 4 bytes belong to no tensor", 12},
      {header("F32", "[2]", "[-8,0]"), "byte 56: a negative number"},
      {header("F32", "[-2]", "[0,8]"), "byte 37: a negative number"},
  });
  const std::string two = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                          R"("b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})";
  CHECK(error(two, 12) == "byte 108: 'b' overlaps with what is before it");
  const std::string within = R"({"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},)"
                             R"("a":{"dtype":"F32","shape":[3],"data_offsets":[0,12]}})";
  CHECK(error(within, 12) == "byte 55: 'b' overlaps with what is before it");
  const std::string amid = R"({"b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                           R"("x":{"dtype":"F32","shape":[0],"data_offsets":[4,4]}})";
  CHECK(error(amid) == "byte 108: 'x' overlaps with what is before it");
}

// safetensors/safetensors#401: of two equal keys one was silently taken.
TEST_CASE("A key that is there twice is refused, at any depth") {
  const std::string a = R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})";
  CHECK(error("{" + a + "," + a + "}") == "byte 62: the key 'a' is there twice");
  CHECK(error(R"({"a":{"dtype":"F32","dtype":"F32"}})") == "byte 28: the key 'dtype' is there twice");
  CHECK(error(R"({"__metadata__":{"x":"1","\u0078":"2"}})") == "byte 33: the key 'x' is there twice");
}

TEST_CASE("A header that is not exactly such JSON is refused at the byte where it is not") {
  check_refused({
      {"", "byte 8: '{' is expected"},
      {" {}", "byte 8: '{' is expected"},
      {"{", "byte 9: a string is expected"},
      {"{ }", "nothing was thrown", 0},
      {"{}}", "byte 10: the header has something behind its end", 0},
      {"{}", "byte 10: 4 bytes belong to no tensor", 4},
      {"{}\n", "byte 10: the header has something behind its end", 0},
      {R"({"a":[[[[[[)", "byte 13: '{' is expected"},
      {R"({"__metadata__":{"a":{"b":{}}}})", "byte 29: a string is expected"},
      {R"({"__metadata__":{"a":1}})", "byte 29: a string is expected"},
      {R"({"a)", "byte 11: the string has no end"},
      {"{\"a\n\":", "byte 11: a control character in a string"},
      {R"({"\x":)", "byte 11: 'u' is expected"},
      {R"({"\ud800":)", "byte 16: '\\' is expected"},
      {R"({"\udc00":)", "byte 16: half a pair of surrogates"},
      {header("F32", "[2,]", "[0,8]"), "byte 39: a whole number is expected"},
      {header("F32", "[02]", "[0,8]"), "byte 37: a whole number is expected"},
      {header("F32", "[2.0]", "[0,8]"), "byte 38: ']' is expected"},
      {header("F32", "[2e0]", "[0,8]"), "byte 38: ']' is expected"},
      {header("F32", "2", "[0,8]"), "byte 36: '[' is expected"},
      {header("F32", "[2]", "[0,8,8]"), "byte 60: ']' is expected"},
      {header("F32", "[2]", "[0]"), "byte 58: two offsets are expected"},
      {R"({"a":{"dtype":"F32","shape":[2]}})", "byte 40: the tensor 'a' has no dtype, shape or data_offsets"},
      {R"({"a":{"size":1}})", "byte 21: the key 'size' is not known"},
  });
}

// Of reading: tests/demos/files_test.py.
TEST_CASE("A name that is no UTF-8 is not written") {
  for (const char* name : {"\xff", "\xc3", "\xed\xa0\x80", "\xc0\x80", "a\xf5\x80\x80\x80"}) {
    const Folder folder;
    CHECK_THROWS_AS(save_safetensors(folder.file("x"), {{name, Tensor::ones({1})}}), FileError);
  }
}

TEST_CASE("A safetensors file that is cut off anywhere is refused") {
  const Folder folder;
  const std::string path = folder.file("x");
  save_safetensors(path, {{"w", Tensor::of({{1, 2}, {3, 4}})}, {"b", Tensor::of({5})}});
  const std::string whole = read_file(path);
  for (size_t n = 0; n < whole.size(); ++n) {
    write_file(path, whole.substr(0, n));
    CHECK_THROWS_AS(load_safetensors(path), FileError);
  }
}
