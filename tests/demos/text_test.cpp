#include "demos/parts/text.hpp"

#include "core/files.hpp"
#include "demos/parts/cell.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/folder.hpp"

using namespace stepgrad::demo;

TEST_CASE("every character survives being written and read") {
  std::u32string all;
  for (char32_t c = 1; c <= 0x10FFFF; ++c) {
    if (c < 0xD800 || 0xDFFF < c) all += c;
  }
  CHECK(decode_utf8(encode_utf8(all)) == all);
  CHECK(decode_utf8("aé한😀") == U"aé한😀");
}

TEST_CASE("text that is not UTF-8 is refused, with the place") {
  const auto& [bytes, said] = GENERATE(table<std::string, std::string>({
      {"caf\xE9", "byte 0xE9 at offset 3"},                // Latin-1
      {"\xB3\xAA", "byte 0xB3 at offset 0"},               // EUC-KR
      {"\xFF\xFEh", "byte 0xFF at offset 0"},              // UTF-16
      {std::string("ELF\0", 4), "byte 0x00 at offset 3"},  // a binary file
      {"a\x80", "byte 0x80 at offset 1"},                  // a continuation of nothing
      {"ab\xED\x95", "byte 0xED at offset 2"},             // cut off
      {"\xC3(", "byte 0xC3 at offset 0"},                  // not continued
      {"\xC0\xAF", "byte 0xC0 at offset 0"},               // overlong: '/' in two bytes
      {"\xE0\x80\xAF", "byte 0xE0 at offset 0"},           // overlong: in three bytes
      {"\xF0\x80\x80\xAF", "byte 0xF0 at offset 0"},       // overlong: in four bytes
      {"\xED\xA0\x80", "byte 0xED at offset 0"},           // half a surrogate pair
      {"\xF4\x90\x80\x80", "byte 0xF4 at offset 0"},       // beyond the last character
      {"\xF8\x88\x80\x80\x80", "byte 0xF8 at offset 0"},   // five bytes
  }));
  CHECK_ERROR(ValueError, decode_utf8(bytes), said);
}

TEST_CASE("a file loses its byte order mark and carriage returns, and must be a text") {
  const stepgrad::Folder folder;
  const std::string path = folder.file("text");
  write_file(path, "\xEF\xBB\xBF하나\r\n둘\r\n");
  CHECK(read_text(path) == U"하나\n둘\n");
  for (const char* nothing : {"", "\xEF\xBB\xBF"}) {
    write_file(path, nothing);
    CHECK_ERROR(FileError, read_text(path), path + ": is empty");
  }
  write_file(path, "ELF\x02\xFF");
  CHECK_ERROR(FileError, read_text(path), path + ": is not UTF-8 text: byte 0xFF at offset 4");
}

TEST_CASE("a text becomes numbers, and its last tenth is held out") {
  std::u32string characters;
  for (int i = 0; i < 40; ++i) characters += U"나a나";
  const Text text(characters);
  CHECK(text.alphabet == U"a나");
  CHECK(text.size() == 120);
  CHECK(std::vector<int32_t>(text.ids.begin(), text.ids.begin() + 4) == std::vector<int32_t>{1, 0, 1, 1});
  CHECK(text.held_out() == 108);
  CHECK_ERROR(ValueError, Text(U"x"), "the text has only 1 of the 100 characters that are needed");
}

TEST_CASE("the README and the sources are one text") {
  const std::string text = encode_utf8(read_sources("."));
  const size_t readme = text.find("# stepgrad"), here = text.find("the sources are one text");
  CHECK(readme == 0);
  CHECK(here != std::string::npos);
  CHECK_ERROR(FileError, read_sources("ops"), "ops: has no sources");
}

TEST_CASE("a long line is broken behind blanks, and keeps them") {
  const std::string x(60, 'x');
  std::ostringstream out;
  std::streambuf* const before = std::cout.rdbuf(out.rdbuf());
  show_words(x + "  " + x + "  y");
  std::cout.rdbuf(before);
  CHECK(out.str() == "    " + x + "  \n    " + x + "  y\n");
}

TEST_CASE("control characters do not reach a terminal") {
  CHECK(printable(U"a\tb\n한\033[2J\u009B\u007F") == "a\tb\n한\uFFFD[2J\uFFFD\uFFFD");
}
