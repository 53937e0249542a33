#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stepgrad {

// Text in UTF-8, as RFC 3629 has it.

// The first character of a text, and its length in bytes. 0 bytes: the text is empty or does not
// begin with valid UTF-8 (truncated, overlong, a surrogate).
struct Utf8Character {
  char32_t code = 0;
  size_t bytes = 0;
};
Utf8Character first_character(std::string_view text);

void append_character(std::string& text, char32_t code);
// The length in bytes of the longest prefix that is valid UTF-8.
size_t utf8_bytes(std::string_view text);
inline bool is_utf8(std::string_view text) { return utf8_bytes(text) == text.size(); }

// A JSON string that can stand in a <script>. Invalid UTF-8 becomes U+FFFD.
std::string json_string(std::string_view text);

// Whether a byte of a text is the first of a character.
inline bool begins_character(char c) { return (c & 0xC0) != 0x80; }
size_t count_characters(std::string_view text);

}
