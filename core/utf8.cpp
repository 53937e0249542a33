#include "core/utf8.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace stepgrad {

// How many bytes follow the first one of a character.
static int continued(char32_t code) { return code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3; }

Utf8Character first_character(std::string_view text) {
  if (text.empty()) return {};
  const auto byte = [&](size_t i) { return uint8_t(text[i]); };
  const size_t bytes = byte(0) < 0x80 ? 1 : byte(0) < 0xE0 ? 2 : byte(0) < 0xF0 ? 3 : 4;
  if ((byte(0) >= 0x80 && byte(0) < 0xC0) || bytes > text.size()) return {};
  char32_t code = bytes == 1 ? byte(0) : byte(0) & (0x7F >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if (begins_character(text[i])) return {};
    code = code << 6 | (byte(i) & 0x3F);
  }
  const bool surrogate = 0xD800 <= code && code <= 0xDFFF, shortest = bytes == size_t(continued(code)) + 1;
  if (byte(0) > 0xF4 || surrogate || !shortest || code > 0x10FFFF) return {};
  return {code, bytes};
}

void append_character(std::string& text, char32_t code) {
  const int rest = continued(code);
  text += char(rest ? 0xF80 >> rest | code >> 6 * rest : code);
  for (int i = rest - 1; i >= 0; --i) text += char(0x80 | (code >> 6 * i & 0x3F));
}

size_t utf8_bytes(std::string_view text) {
  size_t at = 0;
  while (const size_t bytes = first_character(text.substr(at)).bytes) at += bytes;
  return at;
}

std::string json_string(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const size_t length = first_character(text).bytes;
    const std::string_view one = text.substr(0, std::max<size_t>(length, 1));
    const auto byte = uint8_t(one[0]);
    if (length == 0)
      result += "\\ufffd";
    else if (one == "\u2028" || one == "\u2029")
      result += one == "\u2028" ? "\\u2028" : "\\u2029";
    else if (length == 1 && (byte < 0x20 || std::strchr("<>&\"\\\x7f", byte))) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", byte);
      result += escaped;
    } else
      result += one;
    text.remove_prefix(one.size());
  }
  return result + '"';
}

size_t count_characters(std::string_view text) { return std::count_if(text.begin(), text.end(), begins_character); }

}
