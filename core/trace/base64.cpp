#include "core/trace/base64.hpp"

#include <array>
#include <cstring>

#include "core/check.hpp"

namespace stepgrad {

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t three = 0;
    for (size_t j = 0; j < 3; ++j) three = three << 8 | (i + j < bytes.size() ? uint8_t(bytes[i + j]) : 0);
    for (size_t j = 0; j < 4; ++j) text += i + j <= bytes.size() ? digits[three >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

static uint32_t digit(char c) {
  static constexpr auto values = [] {
    std::array<unsigned char, 256> values{};
    values.fill(64);
    for (unsigned char i = 0; i < 64; ++i) values[uint8_t(digits[i])] = i;
    return values;
  }();
  const uint32_t value = values[uint8_t(c)];
  check<ValueError>(value < 64, "base64: '", c, "' is none of its characters");
  return value;
}

std::string from_base64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  uint32_t bits = 0;
  int known = 0;
  while (text.ends_with('=')) text.remove_suffix(1);
  for (const char c : text) {
    bits = bits << 6 | digit(c);
    known += 6;
    if (known >= 8) bytes += char(bits >> (known -= 8) & 0xFF);
  }
  return bytes;
}

std::string base64(const std::vector<float>& numbers) {
  return base64({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float)});
}

std::vector<float> floats_from_base64(std::string_view text) {
  const std::string bytes = from_base64(text);
  check<ValueError>(bytes.size() % sizeof(float) == 0, "base64: ", bytes.size(), " bytes are no floats");
  std::vector<float> numbers(bytes.size() / sizeof(float));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

}
