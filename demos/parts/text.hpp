#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stepgrad::demo {

// UTF-8 (RFC 3629) to characters (Unicode code points) and back. ValueError: bytes that are not
// UTF-8, or a NUL, which no text has; it says "byte 0x.. at offset ..".
std::u32string decode_utf8(std::string_view bytes);
std::string encode_utf8(std::u32string_view characters);

// A file's characters, without a byte order mark and carriage returns. FileError: it cannot be
// read, is no regular file, is empty, or is not UTF-8 text.
std::u32string read_text(const std::string& name);

// The README and every C++ source in `tree`, in alphabetical order. FileError: there are none.
std::u32string read_sources(const std::string& tree);

// A text as character ids, in two parts: the training text, and the held-out last tenth (at most
// 30,000 characters).
struct Text {
  explicit Text(std::u32string_view characters);  // ValueError: fewer than 100
  static void check_length(int64_t size, int64_t least);

  int64_t size() const { return std::ssize(ids); }
  int64_t held_out() const;  // where it begins

  std::u32string alphabet;   // the distinct characters in the order of their code points
  std::vector<int32_t> ids;  // character i of the text is alphabet[ids[i]]
};

// Control characters become U+FFFD, since they would confuse a terminal.
std::string printable(std::u32string_view characters);

}
