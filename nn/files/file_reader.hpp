#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include "core/check.hpp"

namespace stepgrad::nn {

// Reads the bytes of a file. Errors name the place, counted in bytes from the start: FileError
// "model.safetensors: byte 17: ...".
struct FileReader {
  const std::string& path;
  std::string_view bytes;
  size_t at = 0;

  size_t left() const { return bytes.size() - at; }
  char next() const { return at < bytes.size() ? bytes[at] : '\0'; }

  template <class... Parts>
  void require(bool holds, const Parts&... parts) const {
    check<FileError>(holds, path, ": byte ", at, ": ", parts...);
  }

  std::string_view take(size_t n) {
    require(n <= left(), n, " bytes are wanted, and ", left(), " are there");
    at += n;
    return bytes.substr(at - n, n);
  }

  template <class Number>
  Number take() {
    Number number;
    std::memcpy(&number, take(sizeof number).data(), sizeof number);
    return number;
  }

  // For text.
  bool takes(char c) {
    if (next() != c || left() == 0) return false;
    ++at;
    return true;
  }
  void expect(char c) { require(takes(c), "'", c, "' is expected"); }
  void skip(std::string_view blanks = " \t\n\r") {
    while (left() > 0 && blanks.find(next()) != blanks.npos) ++at;
  }
  int64_t whole_number();  // decimal digits and nothing else; at most 2⁶³ - 1
};

}
