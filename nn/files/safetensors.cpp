#include "nn/files/safetensors.hpp"

#include <algorithm>
#include <set>

#include "core/files.hpp"
#include "core/tape/modes.hpp"
#include "core/text_stream.hpp"
#include "core/utf8.hpp"
#include "nn/files/numbers.hpp"

namespace stepgrad::nn {
namespace {

constexpr std::string_view metadata = "__metadata__";
constexpr uint64_t most_header = 100'000'000;  // bytes, as in the package

struct Entry {
  std::string name;
  NumberType type;
  std::vector<int64_t> shape;
  int64_t begin = 0, end = 0;  // its data
  size_t at = 0;               // its entry's place in the header
};

// The four digits behind \u.
uint32_t hex4(FileReader& in) {
  uint32_t code = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = in.next();
    const bool digit = '0' <= c && c <= '9', letter = 'a' <= (c | 32) && (c | 32) <= 'f';
    in.require(digit || letter, "four hexadecimal digits are expected");
    code = code * 16 + uint32_t(digit ? c - '0' : (c | 32) - 'a' + 10);
    ++in.at;
  }
  return code;
}

void append_escaped(std::string& text, FileReader& in) {
  constexpr std::string_view letters = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
  if (const size_t i = letters.find(in.next()); i != letters.npos) {
    ++in.at;
    text += meant[i];
    return;
  }
  in.expect('u');
  uint32_t code = hex4(in);
  in.require(code < 0xDC00 || 0xDFFF < code, "half a pair of surrogates");
  if (0xD800 <= code && code <= 0xDBFF) {
    in.expect('\\'), in.expect('u');
    const uint32_t low = hex4(in);
    in.require(0xDC00 <= low && low <= 0xDFFF, "half a pair of surrogates");
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  }
  append_character(text, code);
}

std::string string(FileReader& in) {
  std::string text;
  in.require(in.next() == '"', "a string is expected");
  ++in.at;
  while (!in.takes('"')) {
    in.require(in.left() > 0, "the string has no end");
    in.require(uint8_t(in.next()) >= 0x20, "a control character in a string");
    if (in.takes('\\'))
      append_escaped(text, in);
    else
      text += in.bytes[in.at++];
  }
  return text;
}

// {"key": value, ...}; value(key) reads what stands behind the colon.
void object(FileReader& in, auto value) {
  std::set<std::string> keys;
  in.expect('{');
  in.skip();
  if (in.takes('}')) return;
  do {
    in.skip();
    const size_t at = in.at;
    const std::string key = string(in);
    const bool first = keys.insert(key).second;
    if (!first) in.at = at;
    in.require(first, "the key '", key, "' is there twice");
    in.skip(), in.expect(':'), in.skip();
    value(key);
    in.skip();
  } while (in.takes(','));
  in.expect('}');
}

void array(FileReader& in, auto item) {
  in.expect('[');
  in.skip();
  if (in.takes(']')) return;
  do {
    in.skip();
    item();
    in.skip();
  } while (in.takes(','));
  in.expect(']');
}

NumberType dtype(FileReader& in) {
  const size_t at = in.at;
  const std::string name = string(in);
  const NumberType* type = number_type(name);
  if (!type) in.at = at;
  in.require(type, "the dtype '", name, "' is not known");
  return *type;
}

// {"dtype": "F32", "shape": [2, 8], "data_offsets": [0, 64]}
Entry entry(FileReader& in, const std::string& name) {
  Entry found;
  found.name = name, found.at = in.at;
  int keys = 0;
  object(in, [&](const std::string& key) {
    ++keys;
    if (key == "dtype") {
      found.type = dtype(in);
    } else if (key == "shape") {
      array(in, [&] {
        found.shape.push_back(in.whole_number());
        checked_numel(in, found.shape);
      });
    } else {
      in.require(key == "data_offsets", "the key '", key, "' is not known");
      std::vector<int64_t> offsets;
      found.at = in.at;
      array(in, [&] {
        in.require(offsets.size() < 2, "']' is expected");
        offsets.push_back(in.whole_number());
      });
      in.require(offsets.size() == 2, "two offsets are expected");
      found.begin = offsets[0], found.end = offsets[1];
    }
  });
  in.require(keys == 3, "the tensor '", name, "' has no dtype, shape or data_offsets");
  return found;
}

std::vector<Entry> entries(FileReader& in) {
  std::vector<Entry> found;
  object(in, [&](const std::string& name) {
    if (name == metadata)
      object(in, [&](const std::string&) { string(in); });
    else
      found.push_back(entry(in, name));
  });
  in.skip(" ");
  in.require(in.left() == 0, "the header has something behind its end");
  return found;
}

// The tensors' data are adjacent, from the first byte to the last.
void check_layout(FileReader in, const std::vector<Entry>& sorted, size_t bytes) {
  int64_t end = 0;
  for (const Entry& one : sorted) {
    in.at = one.at;
    const int64_t numel = checked_numel(in, one.shape);
    in.require(one.begin <= one.end, "'", one.name, "' ends before it begins");
    in.require(uint64_t(one.end) <= bytes, "'", one.name, "' ends at ", one.end, ", and the file has ", bytes,
        " bytes of data");
    in.require(one.begin >= end, "'", one.name, "' overlaps with what is before it");
    in.require(one.begin == end, "there is a hole before '", one.name, "'");
    // A zero among large sizes; a division, since a product could wrap.
    in.require((one.end - one.begin) % one.type.bytes == 0 && (one.end - one.begin) / one.type.bytes == numel, "'",
        one.name, "' has ", one.end - one.begin, " bytes for ", numel, " numbers of ", one.type.bytes);
    end = one.end;
  }
  in.at = in.bytes.size() + size_t(end);
  in.require(uint64_t(end) == bytes, bytes - uint64_t(end), " bytes belong to no tensor");
}

}

void save_safetensors(const std::string& path, const NamedTensors& tensors, Loc loc) {
  const OpCall call(loc);
  TextStream header;
  header << R"({"__metadata__":{"format":"pt"})";
  std::string data;
  std::set<std::string> names{std::string(metadata)};
  for (const auto& [name, tensor] : tensors) {
    check<FileError>(names.insert(name).second, path, ": two tensors named '", name, "'");
    check<ValueError>(tensor.defined(), path, ": '", name, "' is undefined");
    check<FileError>(is_utf8(name), path, ": the name '", name, "' is not UTF-8");
    header << ',' << json_string(name) << R"(:{"dtype":"F32","shape":[)";
    for (int dim = 0; dim < tensor.dim(); ++dim) header << (dim ? "," : "") << tensor.size(dim);
    header << R"(],"data_offsets":[)" << data.size() << ',';
    data += float_bytes(tensor);
    header << data.size() << "]}";
  }
  header << '}';
  std::string text = header.str();
  text.append((8 - text.size() % 8) % 8, ' ');  // the data begin on a multiple of 8
  const uint64_t length = text.size();
  write_file(path, std::string(reinterpret_cast<const char*>(&length), sizeof length) + text + data);
}

NamedTensors load_safetensors(const std::string& path, Loc loc) {
  const OpCall call(loc);
  const std::string bytes = read_file(path);
  FileReader file{path, bytes};
  const auto length = file.take<uint64_t>();
  file.at = 0;
  file.require(length <= most_header && length + sizeof length <= bytes.size(), "a header of ", length,
      " bytes in a file of ", bytes.size());
  const size_t begin = sizeof length + length;
  FileReader header{path, std::string_view(bytes).substr(0, begin), sizeof length};
  const size_t characters = utf8_bytes(header.bytes.substr(header.at));
  header.at += characters;
  header.require(characters == length, "the header is not UTF-8");
  header.at = sizeof length;
  std::vector<Entry> found = entries(header);
  std::sort(found.begin(), found.end(),
      [](const Entry& a, const Entry& b) { return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); });
  check_layout(header, found, bytes.size() - begin);
  NamedTensors tensors;
  for (const Entry& one : found) {
    file.at = begin + size_t(one.begin);
    tensors.emplace_back(one.name, take_tensor(file, one.type, Shape(one.shape)));
  }
  return tensors;
}

void load_safetensors(const std::string& path, const NamedTensors& tensors, Loc loc) {
  const OpCall call(loc);
  overwrite(path, load_safetensors(path), tensors);
}

}
