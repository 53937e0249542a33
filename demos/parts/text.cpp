#include "demos/parts/text.hpp"

#include <algorithm>
#include <cstdio>

#include "core/check.hpp"
#include "core/files.hpp"
#include "core/path.hpp"
#include "core/utf8.hpp"

namespace stepgrad::demo {
namespace fs = std::filesystem;
namespace {

std::vector<fs::path> sources(const fs::path& tree) {
  std::vector<fs::path> files;
  if (fs::exists(tree / "README.md")) files.push_back(tree / "README.md");
  for (const char* room : {"core", "demos", "nn", "ops", "tests"}) {
    if (!fs::is_directory(tree / room)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(tree / room)) {
      const fs::path& file = entry.path();
      if (file.extension() == ".cpp" || file.extension() == ".hpp") files.push_back(file);
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}

std::u32string decode_utf8(std::string_view bytes) {
  std::u32string characters;
  for (size_t i = 0; i < bytes.size();) {
    const Utf8Character c = first_character(bytes.substr(i));
    if (c.bytes == 0 || c.code == 0) {
      char where[64];
      std::snprintf(where, sizeof where, "byte 0x%02X at offset %zu", bytes[i] & 0xff, i);
      fail<ValueError>(where);
    }
    characters += c.code;
    i += c.bytes;
  }
  return characters;
}

std::string encode_utf8(std::u32string_view characters) {
  std::string bytes;
  for (const char32_t c : characters) append_character(bytes, c);
  return bytes;
}

std::u32string read_text(const std::string& name) {
  std::u32string characters;
  try {
    characters = decode_utf8(read_file(name));
  } catch (const ValueError& error) {
    fail<FileError>(name, ": is not UTF-8 text: ", error.what());
  }
  if (characters.starts_with(U'\uFEFF')) characters.erase(0, 1);
  std::erase(characters, U'\r');
  check<FileError>(!characters.empty(), name, ": is empty");
  return characters;
}

std::u32string read_sources(const std::string& tree) {
  std::u32string characters;
  for (const fs::path& file : sources(path_of(tree))) characters += read_text(name_of(file));
  check<FileError>(!characters.empty(), tree, ": has no sources");
  return characters;
}

Text::Text(std::u32string_view characters) : alphabet(characters) {
  check_length(characters.size(), 100);
  std::sort(alphabet.begin(), alphabet.end());
  alphabet.erase(std::unique(alphabet.begin(), alphabet.end()), alphabet.end());
  for (const char32_t c : characters) {
    const auto place = std::lower_bound(alphabet.begin(), alphabet.end(), c);
    ids.push_back(int32_t(place - alphabet.begin()));
  }
}

void Text::check_length(int64_t size, int64_t least) {
  check<ValueError>(size >= least, "the text has only ", size, " of the ", least, " characters that are needed");
}

int64_t Text::held_out() const { return size() - std::min<int64_t>(size() / 10, 30'000); }

std::string printable(std::u32string_view characters) {
  std::u32string shown(characters);
  for (char32_t& c : shown) {
    const bool control = (c < 0x20 && c != U'\n' && c != U'\t') || (0x7F <= c && c < 0xA0);
    if (control) c = U'\uFFFD';
  }
  return encode_utf8(shown);
}

}
