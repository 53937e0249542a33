#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stepgrad {

// Text in UTF-8, as RFC 3629 has it.

// The first character of a text, and how many bytes it takes. 0: the text begins with none, as it
// is empty, cut off, longer than need be, a surrogate, or no UTF-8 at all.
struct Utf8Character {
  char32_t code = 0;
  size_t bytes = 0;
};
Utf8Character first_character(std::string_view text);

void append_character(std::string& text, char32_t code);
// How many bytes of a text are whole characters in UTF-8, from its beginning on.
size_t utf8_bytes(std::string_view text);
inline bool is_utf8(std::string_view text) { return utf8_bytes(text) == text.size(); }

// A JSON string, in which no character can end a <script> or a line. What is no UTF-8 is U+FFFD.
std::string json_string(std::string_view text);

// Whether a byte of a text is the first of a character.
inline bool begins_character(char c) { return (c & 0xC0) != 0x80; }
size_t count_characters(std::string_view text);

}  // namespace stepgrad
