#include "nn/files/safetensors.hpp"

#include <map>

#include "tests/nn/safetensors_file.hpp"
#include "tests/support/locale.hpp"

// Files of every kind of number, name and order, by an independent writer and reader:
// tests/demos/files_test.py.
TEST_CASE("safetensors are written and read in any locale, also a file without tensors") {
  const Folder folder;
  const DottedThousands other;
  const std::string path = folder.file("x");
  const Tensor odd = Tensor::of({{infinity, -0.0, NAN}, {1e-40, 3e38, 0.1}});
  save_safetensors(path, {{"odd", odd}, {"row", odd[1]}, {"long", Tensor::ones({1234})}});
  const auto back = load_safetensors(path);
  const std::map<std::string, Tensor> found(back.begin(), back.end());
  CHECK(text(found.at("odd")) == text(odd));
  CHECK(text(found.at("row")) == text(odd[1]));
  CHECK(found.at("long").shape() == Shape{1234});
  save_safetensors(path, {});
  CHECK(load_safetensors(path).empty());
}

TEST_CASE("Escapes in a name are UTF-16, in pairs, of hexadecimal digits") {
  const auto name = [](const std::string& escaped) {
    const File file("{\"" + escaped + R"(":{"dtype":"F32","shape":[],"data_offsets":[0,4]}})", std::string(4, '\0'));
    return load_safetensors(file.path).at(0).first;
  };
  CHECK(name(R"(\u0041\u00e9\ud7ff\ue000\udbff\udfff)") == "Aé\ud7ff\ue000\U0010FFFF");
  for (const char* no : {R"(\ud83d)", R"(\ude00)", R"(\udfff)", R"(\ud83dx)", R"(\ud83d\u0041)", R"(\ud83d\udbff)",
           R"(\ud83d\ue000)", R"(\u00g0)", R"(\u00`0)", R"(\u 000)", R"(\x)"})
    CHECK_THROWS_AS(name(no), FileError);
}

TEST_CASE("Blanks between all parts of a header are read, and whole numbers stay whole") {
  const File file(
      R"({ "a" : { "dtype" : "U8" , "shape" : [ 1 ] , "data_offsets" : [ 0 , 1 ] } ,
           "b" : { "dtype" : "F32" , "shape" : [ ] , "data_offsets" : [ 1 , 5 ] } })",
      "\7" + raw({0.5f}));
  const auto found = load_safetensors(file.path);
  CHECK(found.at(0).second.to_vector() == Values{7});
  CHECK(found.at(0).second.kind() == Kind::integer);
  CHECK(found.at(1).second.item() == Scalar(0.5));
  CHECK(found.at(1).second.kind() == Kind::floating);
}

TEST_CASE("Numbers of any type have their kind, and those that no float holds are refused") {
  CHECK(loaded("F64", 2, raw({0.25, -1e300 * 1e300})) == "0.25 -inf");
  CHECK(loaded("I64", 1, raw({INT64_MIN})) == "-9.22337e+18");
  CHECK(loaded("U64", 1, raw<uint64_t>({uint64_t{1} << 63})) == "9.22337e+18");
  CHECK(File(header("BOOL", "[1]", "[0,1]"), "\2").error() == "byte 63: a boolean of 2");
  CHECK(File(header("I64", "[1]", "[0,8]"), raw<int64_t>({9007199254740993})).error() ==
      "byte 62: 9007199254740993 has more digits than a float");
  CHECK_THAT(File(header("U64", "[1]", "[0,8]"), raw({UINT64_MAX})).error(),
      ContainsSubstring("18446744073709551615 has more digits than a float"));
  CHECK(File(header("F64", "[1]", "[0,8]"), raw({-1e300})).error() == "byte 62: -1e+300 is too large for a float");
  CHECK(loaded("F64", 1, raw({double{std::numeric_limits<float>::max()}})) == "3.40282e+38");
  for (const auto& [dtype, bytes, kind] :
      {std::tuple("F64", 8, Kind::floating), {"F16", 2, Kind::floating}, {"BF16", 2, Kind::floating},
          {"I64", 8, Kind::integer}, {"U8", 1, Kind::integer}, {"BOOL", 1, Kind::integer}}) {
    const File one(header(dtype, "[1]", "[0," + std::to_string(bytes) + "]"), std::string(bytes, 0));
    CHECK(load_safetensors(one.path).at(0).second.kind() == kind);
  }
  CHECK(error(header("F8_E4M3", "[8]", "[0,8]")) == "byte 22: the dtype 'F8_E4M3' is not known");
}
