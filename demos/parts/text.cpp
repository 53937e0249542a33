#include "demos/parts/text.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "core/path.hpp"
#include "core/utf8.hpp"

namespace stepgrad::demo {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void not_utf8(std::string_view bytes, size_t offset) {
  char text[64];
  std::snprintf(text, sizeof text, "byte 0x%02X at offset %zu",
                static_cast<unsigned char>(bytes[offset]), offset);
  throw TextError(text);
}

std::string read_bytes(const std::string& name) {
  const auto refuse = [&](const char* why) {
    throw TextError("cannot read '" + name + "': " + why + ".");
  };
  const fs::path file = path_of(name);
  std::error_code unknown;
  if (fs::is_directory(file, unknown)) refuse("it is a directory");
  // A device may have no end, and a pipe no writer.
  if (fs::exists(file, unknown) && !fs::is_regular_file(file, unknown)) refuse("it is no file");
  std::ifstream in(file, std::ios::binary);
  if (!in) refuse(std::strerror(errno));
  const uintmax_t size = fs::file_size(file, unknown);
  if (!unknown && size > most_bytes) refuse("it has more than 64 MiB");
  std::string bytes(unknown ? 0 : size, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<size_t>(in.gcount()));
  return bytes;
}

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
    if (c.bytes == 0 || c.code == 0) not_utf8(bytes, i);
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
  const std::string bytes = read_bytes(name);
  std::u32string characters;
  try {
    characters = decode_utf8(bytes);
  } catch (const TextError& error) {
    throw TextError("'" + name + "' is not UTF-8 text: " + error.what() + ".");
  }
  if (characters.starts_with(U'\uFEFF')) characters.erase(0, 1);
  std::erase(characters, U'\r');
  if (characters.empty()) throw TextError("'" + name + "' is empty.");
  return characters;
}

std::u32string read_sources(const std::string& tree) {
  std::u32string characters;
  for (const fs::path& file : sources(path_of(tree))) characters += read_text(name_of(file));
  if (characters.empty()) throw TextError("no sources in '" + tree + "'.");
  return characters;
}

Text::Text(std::u32string_view characters) : alphabet(characters) {
  if (const size_t n = characters.size(); n < at_least) {
    throw TextError("the text has " + std::to_string(n) + (n == 1 ? " character" : " characters") +
                    ", of " + std::to_string(at_least) + " that are needed at least.");
  }
  std::sort(alphabet.begin(), alphabet.end());
  alphabet.erase(std::unique(alphabet.begin(), alphabet.end()), alphabet.end());
  for (const char32_t c : characters) {
    const auto place = std::lower_bound(alphabet.begin(), alphabet.end(), c);
    ids.push_back(static_cast<int32_t>(place - alphabet.begin()));
  }
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
