#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/memory/pool.hpp"
#include "core/trace/recording.hpp"

namespace stepgrad {
namespace fs = std::filesystem;
namespace {

// How many bytes of a page its numbers may take, in base64.
constexpr int64_t bytes_for_numbers = 1'800'000;

std::string number(double value) {
  if (std::isnan(value)) return "\"NaN\"";
  if (std::isinf(value)) return value < 0 ? "\"-inf\"" : "\"inf\"";
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

template <class List, class F>
std::string list(const List& of, F text) {
  std::string joined;
  for (const auto& one : of) joined += (joined.empty() ? "" : ",") + text(one);
  return '[' + joined + ']';
}

std::string sizes(const Shape& shape) {
  return list(shape, [](int64_t size) { return std::to_string(size); });
}

// Little-endian float32: unlike JSON's numbers, these may be NaN.
std::string base64(const std::vector<float>& numbers) {
  static const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes(numbers.size() * sizeof(float), '\0'), text;
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t three = 0;
    for (size_t j = 0; j < 3; ++j)
      three = three << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0);
    for (size_t j = 0; j < 4; ++j)
      text += i + j <= bytes.size() ? digits[three >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

// Whether a stands out more than b: NaN before all, then by size.
bool outdoes(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && !std::isnan(b);
  return std::abs(a) > std::abs(b);
}

// All numbers if they are at most `most`; else of each block of rows and columns that which stands
// out most, and how large a block is.
std::string numbers(const Tensor& x, int64_t most) {
  const int64_t columns = x.dim() ? std::max<int64_t>(x.size(-1), 1) : 1;
  const int64_t rows = x.numel() / columns;
  const auto blocks = [](int64_t n, int64_t each) { return (n + each - 1) / each; };
  int64_t high = 1, wide = 1;
  while (blocks(rows, high) * blocks(columns, wide) > most)
    (blocks(rows, high) > blocks(columns, wide) ? high : wide) *= 2;
  const int64_t across = blocks(columns, wide), down = blocks(rows, high);
  std::vector<float> kept(x.numel() ? down * across : 0);
  std::vector<bool> begun(kept.size());
  for (int64_t i = 0; i < x.numel(); ++i) {
    const int64_t place = i / columns / high * across + i % columns / wide;
    const float value = static_cast<float>(x.data()[i]);
    if (!begun[place] || outdoes(value, kept[place])) kept[place] = value;
    begun[place] = true;
  }
  std::string text = "\"v\":\"" + base64(kept) + '"';
  if (high * wide > 1)
    text += ",\"block\":[" + std::to_string(high) + ',' + std::to_string(wide) + ']';
  return text;
}

// A range, zeros and so on: of all numbers, also of those left out.
std::string stats(const Tensor& x) {
  const Range range(x);
  int64_t zeros = 0;
  double sum = 0;
  for (const Scalar *value = x.data(), *end = value + x.numel(); value < end; ++value) {
    zeros += *value == 0;
    if (std::isfinite(*value)) sum += *value;
  }
  const int64_t finite = x.numel() - range.nan - range.inf;
  return "{\"min\":" + number(range.min) + ",\"max\":" + number(range.max) +
         ",\"mean\":" + number(finite ? sum / static_cast<double>(finite) : 0) +
         ",\"zeros\":" + std::to_string(zeros) + ",\"nan\":" + std::to_string(range.nan) +
         ",\"inf\":" + std::to_string(range.inf) + '}';
}

// Numbers of the page: each tensor once, also if it is both a part and a total.
class Arrays {
 public:
  std::string add(const Tensor& x) {
    if (!x.defined()) return "null";
    for (size_t i = arrays_.size(); i > 0 && i + 8 > arrays_.size(); --i)
      if (same(arrays_[i - 1], x)) return std::to_string(i - 1);
    arrays_.push_back(x);
    return std::to_string(arrays_.size() - 1);
  }
  std::string json() const {
    const int64_t each = bytes_for_numbers * 3 / 16 / std::max<int64_t>(arrays_.size(), 1);
    const int64_t most = std::clamp<int64_t>(each, 16, 4096);
    return list(arrays_, [&](const Tensor& x) {
      return "{\"shape\":" + sizes(x.shape()) + ',' + numbers(x, most) + ",\"stats\":" + stats(x) +
             '}';
    });
  }

 private:
  static bool same(const Tensor& a, const Tensor& b) {
    return a.shape() == b.shape() &&
           std::memcmp(a.data(), b.data(), a.numel() * sizeof(Scalar)) == 0;
  }
  std::vector<Tensor> arrays_;
};

// The lines around those that were called, of the files that can be read here.
class Sources {
 public:
  void add(Loc loc) {
    if (loc.file) lines_[loc.file].insert(loc.line);
  }
  std::string json() const {
    std::string text;
    for (const auto& [file, lines] : lines_)
      text += (text.empty() ? "" : ",") + json_string(file) + ':' + excerpt(file, lines);
    return '{' + text + '}';
  }

 private:
  // A compiler may have named a file from its build folder (../../main.cpp): it is looked for in
  // the folders around this one too, and in stepgrad's tree.
  static fs::path readable(std::string file) {
    if (is_regular_file(fs::path(file))) return file;
    while (file.starts_with("../")) file.erase(0, 3);
    fs::path folder = fs::current_path();
    while (!is_regular_file(folder / file) && folder.has_relative_path())
      folder = folder.parent_path();
    return is_regular_file(folder / file) ? folder / file : fs::path(STEPGRAD_TREE) / file;
  }

  static std::string excerpt(const std::string& file, const std::set<int>& wanted) {
    const fs::path path = readable(file);
    std::ifstream in;
    in.exceptions(std::ios::badbit);  // memory that fails must not end the file
    if (is_regular_file(path)) in.open(path);
    std::string line, text;
    for (int number = 1; std::getline(in, line); ++number) {
      const auto next = wanted.lower_bound(number - 6);
      if (next == wanted.end() || *next > number + 6) continue;
      text += (text.empty() ? "[" : ",[") + std::to_string(number) + ',' +
              json_string(std::string_view(line).substr(0, 200)) + ']';
    }
    return '[' + text + ']';
  }
  std::map<std::string, std::set<int>> lines_;
};

std::string line(Loc loc) {
  return loc.file ? '[' + json_string(loc.file) + ',' + std::to_string(loc.line) + ']' : "null";
}

// Arrays are numbered in the order in which they are added: a statement each, for the order of
// operands is the compiler's.
std::string value_json(const Recording::Value& value, Arrays& arrays) {
  const std::string shown = arrays.add(value.value);
  const std::string grad = arrays.add(value.grad);
  std::string text = "{\"name\":" + json_string(value.name) + ",\"role\":\"" + value.role +
                     "\",\"shape\":" + sizes(value.shape) + ",\"value\":" + shown +
                     ",\"grad\":" + grad + ",\"op\":" + std::to_string(value.op) +
                     ",\"wants\":" + (value.wants_grad ? "true" : "false");
  if (!value.differences.empty()) text += ",\"differences\":" + list(value.differences, number);
  return text + '}';
}

std::string attributes(const Node& node) {
  std::string text;
  for (const Attribute& attribute : node.attributes())
    text += (text.empty() ? "" : ",") + json_string(attribute.name) + ':' +
            list(attribute.values, number);
  return '{' + text + '}';
}

std::string op_json(const Recording::Op& op, Arrays& arrays, Sources& sources) {
  const Node& node = *op.node;
  sources.add(node.loc);
  sources.add(node.caller);
  std::string saved;
  for (const Saved* each = node.saved; each; each = each->next)
    if (each->defined())
      saved += (saved.empty() ? "" : ",") + json_string(each->letter) + ':' + arrays.add(*each);
  const Ledger* ledger = node.ledger;
  return "{\"op\":" + json_string(node.op()) + ",\"number\":" + std::to_string(node.number) +
         ",\"in\":" + list(op.inputs, [](int i) { return std::to_string(i); }) +
         ",\"out\":" + std::to_string(op.output) + ",\"loc\":" + line(node.loc) +
         ",\"caller\":" + line(node.caller) + ",\"forward\":" + json_string(node.formula.forward) +
         ",\"gradient\":" + json_string(node.formula.gradient) +
         ",\"attributes\":" + attributes(node) + ",\"saved\":{" + saved +
         "},\"savedBytes\":" + std::to_string(op.saved_bytes) +
         ",\"savedAgain\":" + std::to_string(ledger ? ledger->saved_again : 0) +
         ",\"flops\":" + std::to_string(op.flops) + ",\"seconds\":" +
         list(std::vector<double>{ledger ? ledger->forward_seconds : 0,
                                  ledger ? ledger->backward_seconds : 0},
              number) +
         '}';
}

std::string step_json(const Recording::Step& step, Arrays& arrays) {
  const std::string dY = arrays.add(step.dY);
  const auto add = [&](const Recording::Add& add) {
    const std::string part = arrays.add(add.part);
    const std::string total = arrays.add(add.total);
    return "{\"input\":" + std::to_string(add.input) + ",\"value\":" + std::to_string(add.value) +
           ",\"before\":" + sizes(add.before) + ",\"part\":" + part + ",\"total\":" + total + '}';
  };
  return "{\"op\":" + std::to_string(step.op) + ",\"value\":" + std::to_string(step.value) +
         ",\"dY\":" + dY + ",\"hooked\":" + (step.hooked ? "true" : "false") +
         ",\"adds\":" + list(step.adds, add) + '}';
}

// How many bytes at the front of `text` are one character of UTF-8; 0 if none is.
size_t character(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const size_t length = byte(0) < 0x80                      ? 1
                        : byte(0) >= 0xC2 && byte(0) < 0xE0 ? 2
                        : byte(0) >= 0xE0 && byte(0) < 0xF0 ? 3
                        : byte(0) >= 0xF0 && byte(0) < 0xF5 ? 4
                                                            : 0;
  if (length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  return length;
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const size_t length = character(text);
    const std::string_view one = text.substr(0, std::max<size_t>(length, 1));
    const auto byte = static_cast<unsigned char>(one[0]);
    if (length == 0)
      result += "\\ufffd";
    else if (one == "\u2028" || one == "\u2029")
      result += one == "\u2028" ? "\\u2028" : "\\u2029";
    else if (length > 1)
      result += one;
    else if (byte < 0x20 || std::strchr("<>&\"\\\x7f", byte)) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", byte);
      result += escaped;
    } else
      result += one;
    text.remove_prefix(one.size());
  }
  return result + '"';
}

std::string to_json(const Recording& recording) {
  Arrays arrays;
  Sources sources;
  const std::string values = list(
      recording.values, [&](const Recording::Value& value) { return value_json(value, arrays); });
  const std::string ops =
      list(recording.ops, [&](const Recording::Op& op) { return op_json(op, arrays, sources); });
  const std::string steps =
      list(recording.steps, [&](const Recording::Step& step) { return step_json(step, arrays); });
  return "{\"format\":\"stepgrad-tape-1\",\"leftOut\":" + std::to_string(recording.left_out) +
         ",\"inUse\":" + std::to_string(memory_stats().in_use) + ",\n\"values\":" + values +
         ",\n\"ops\":" + ops + ",\n\"backward\":" + steps + ",\n\"source\":" + sources.json() +
         ",\n\"arrays\":" + arrays.json() + '}';
}

}  // namespace stepgrad
