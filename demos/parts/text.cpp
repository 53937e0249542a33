#include "demos/parts/text.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

namespace stepgrad::demo {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void not_utf8(std::string_view bytes, size_t offset) {
  char text[64];
  std::snprintf(text, sizeof text, "byte 0x%02X at offset %zu",
                static_cast<unsigned char>(bytes[offset]), offset);
  throw TextError(text);
}

// How many bytes the character that begins with `first` takes; 0 if none begins so.
int length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0;  // a continuation, or a longer form of ASCII
  if (first < 0xE0) return 2;
  if (first < 0xF0) return 3;
  return first < 0xF5 ? 4 : 0;
}

bool valid(char32_t c, int bytes) {
  constexpr std::array<char32_t, 5> smallest{0, 1, 0x80, 0x800, 0x10000};
  const bool surrogate = 0xD800 <= c && c <= 0xDFFF;
  return c >= smallest[bytes] && c <= 0x10FFFF && !surrogate;
}

std::string read_bytes(const fs::path& file) {
  const auto refuse = [&](const char* why) {
    throw TextError("cannot read '" + file.string() + "': " + why + ".");
  };
  std::error_code unknown;
  if (fs::is_directory(file, unknown)) refuse("it is a directory");
  // A device may have no end, and a pipe nobody who writes.
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

}  // namespace

std::u32string decode_utf8(std::string_view bytes) {
  std::u32string characters;
  for (size_t i = 0; i < bytes.size();) {
    const auto first = static_cast<unsigned char>(bytes[i]);
    const int n = length(first);
    if (n == 0 || i + n > bytes.size()) not_utf8(bytes, i);
    char32_t c = n == 1 ? first : first & (0x7F >> n);
    for (int j = 1; j < n; ++j) {
      const auto next = static_cast<unsigned char>(bytes[i + j]);
      if (next >> 6 != 0b10) not_utf8(bytes, i);
      c = c << 6 | (next & 0x3F);
    }
    if (!valid(c, n)) not_utf8(bytes, i);
    characters += c;
    i += n;
  }
  return characters;
}

std::string encode_utf8(std::u32string_view characters) {
  std::string bytes;
  for (const char32_t c : characters) {
    if (c < 0x80) {
      bytes += static_cast<char>(c);
      continue;
    }
    const int rest = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;  // continuation bytes
    bytes += static_cast<char>(0xF80 >> rest | c >> 6 * rest);
    for (int j = rest - 1; j >= 0; --j) bytes += static_cast<char>(0x80 | (c >> 6 * j & 0x3F));
  }
  return bytes;
}

std::u32string read_text(const fs::path& file) {
  const std::string bytes = read_bytes(file);
  std::u32string characters;
  try {
    characters = decode_utf8(bytes);
  } catch (const TextError& error) {
    throw TextError("'" + file.string() + "' is not UTF-8 text: " + error.what() + ".");
  }
  if (characters.starts_with(U'\uFEFF')) characters.erase(0, 1);
  std::erase(characters, U'\r');
  if (characters.empty()) throw TextError("'" + file.string() + "' is empty.");
  return characters;
}

std::u32string read_sources(const fs::path& tree) {
  std::u32string characters;
  for (const fs::path& file : sources(tree)) characters += read_text(file);
  if (characters.empty()) throw TextError("no sources in '" + tree.string() + "'.");
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

}  // namespace stepgrad::demo
