#include "nn/text/sentencepiece_model.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace stepgrad::nn {
namespace {

// Reads a protocol buffer's integer: seven bits per byte, the lowest first.
uint64_t take_integer(std::string_view& bytes) {
  uint64_t value = 0;
  for (int shift = 0; !bytes.empty() && shift < 64; shift += 7) {
    const auto byte = uint8_t(bytes.front());
    bytes.remove_prefix(1);
    value |= uint64_t{byte & 127u} << shift;
    if (byte < 128) break;
  }
  return value;
}

// The bytes of each field with this number in a protocol buffer's message.
std::vector<std::string_view> fields(std::string_view message, uint64_t number) {
  constexpr uint64_t varint = 0, fixed64 = 1, group_begins = 3, group_ends = 4, fixed32 = 5;
  std::vector<std::string_view> found;
  while (!message.empty()) {
    const uint64_t tag = take_integer(message), kind = tag & 7;
    if (kind == varint) take_integer(message);
    if (kind == varint || kind == group_begins || kind == group_ends) continue;
    const uint64_t size = kind == fixed64 ? 8 : kind == fixed32 ? 4 : take_integer(message);
    if (tag >> 3 == number) found.push_back(message.substr(0, size));
    message.remove_prefix(std::min<uint64_t>(size, message.size()));
  }
  return found;
}

// The map of characters: the size of a double array in bytes, the array, and the texts of its
// leaves, each followed by a 0. A unit of the array (Darts-clone) has 22 bits of offset to its
// children, 1 bit that scales the offset by 256, 1 bit if child 0 is a leaf, and 8 bits of label; a
// leaf has 31 bits, its text's place.
bool is_sound_map(std::string_view map) {
  uint32_t size = 0;
  if (map.size() < sizeof(size)) return false;
  std::memcpy(&size, map.data(), sizeof(size));
  map.remove_prefix(sizeof(size));
  if (size == 0 || size > map.size() || size % sizeof(uint32_t) != 0) return false;
  std::vector<uint32_t> units(size / sizeof(uint32_t));
  std::memcpy(units.data(), map.data(), size);
  const std::string_view texts = map.substr(size);
  if (texts.empty() || texts.back() != '\0') return false;
  for (size_t i = 0; i < units.size(); ++i) {
    const uint32_t unit = units[i], offset = (unit >> 10) << ((unit >> 9 & 1) * 8);
    if (unit >> 31) continue;  // a leaf: its parent's text is checked
    const size_t children = i ^ offset;
    if ((children | 255) >= units.size()) return false;
    const bool has_leaf = unit >> 8 & 1;
    if (has_leaf && (units[children] & 0x7fffffff) >= texts.size()) return false;
  }
  return true;
}

}

bool is_sound_model(std::string_view model) {
  constexpr uint64_t pieces = 1, piece = 1, normalizer_spec = 3, precompiled_charsmap = 2;
  for (const std::string_view entry : fields(model, pieces)) {
    for (const std::string_view text : fields(entry, piece)) {
      if (text.find('\0') != text.npos) return false;
    }
  }
  const auto normalizers = fields(model, normalizer_spec);  // the last field of a whole model
  for (const std::string_view normalizer : normalizers) {
    for (const std::string_view map : fields(normalizer, precompiled_charsmap)) {
      if (!map.empty() && !is_sound_map(map)) return false;
    }
  }
  return !normalizers.empty();
}

}
