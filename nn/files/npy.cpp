#include "nn/files/npy.hpp"

#include <numeric>
#include <optional>
#include <vector>

#include "core/files.hpp"
#include "core/text_stream.hpp"
#include "nn/files/numbers.hpp"
#include "ops/permute.hpp"

namespace stepgrad::nn {
namespace {

constexpr std::string_view npy_magic = "\x93NUMPY";

struct Header {
  std::optional<NumberType> type;
  std::optional<bool> reversed;  // the first dimension's elements lie next to each other
  std::optional<std::vector<int64_t>> shape;
};

std::string_view text(FileReader& header) {
  const char quote = header.next();
  header.require(quote == '\'' || quote == '"', "a string is expected");
  const size_t begin = ++header.at;
  while (header.left() > 0 && header.next() != quote && header.next() != '\\') ++header.at;
  header.expect(quote);
  return header.bytes.substr(begin, header.at - 1 - begin);
}

// '<f4': the byte order, the format, the bytes of a number
NumberType descr(FileReader& header) {
  struct Known {
    char letter;
    std::string_view bytes;
    Format format;
  };
  constexpr Known known[] = {{'f', "248", Format::floating},
                             {'i', "1248", Format::signed_},
                             {'u', "1248", Format::unsigned_},
                             {'b', "1", Format::boolean}};
  const size_t at = header.at;
  const std::string_view name = text(header);
  if (name.size() == 3 && std::string_view("<>|=").find(name[0]) != name.npos) {
    for (const auto& [letter, bytes, format] : known) {
      if (name[1] != letter || bytes.find(name[2]) == bytes.npos) continue;
      return {format, name[2] - '0', name[0] == '>'};
    }
  }
  header.at = at;
  header.require(false, "the type '", name, "' is not known");
  return {};
}

bool truth(FileReader& header) {
  for (const bool value : {true, false}) {
    const std::string_view word = value ? "True" : "False";
    if (!header.bytes.substr(header.at).starts_with(word)) continue;
    header.at += word.size();
    return value;
  }
  header.require(false, "True or False is expected");
  return false;
}

// (), (3,) or (3, 4)
std::vector<int64_t> sizes(FileReader& header) {
  std::vector<int64_t> found;
  header.expect('(');
  header.skip();
  while (!header.takes(')')) {
    found.push_back(header.whole_number());
    checked_numel(header, found);
    header.skip();
    if (!header.takes(',')) {
      header.require(found.size() != 1, "',' is expected");  // (3) is no tuple
      header.expect(')');
      break;
    }
    header.skip();
  }
  return found;
}

// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
Header parsed(FileReader& in) {
  Header header;
  const auto once = [&](auto& part, auto value) {
    in.skip(), in.expect(':'), in.skip();
    part = value(in);
  };
  in.expect('{');
  for (in.skip(); !in.takes('}'); in.skip()) {
    const size_t at = in.at;
    const std::string_view key = text(in);
    const bool known = (key == "descr" && !header.type) ||
                       (key == "fortran_order" && !header.reversed) ||
                       (key == "shape" && !header.shape);
    if (!known) in.at = at;
    in.require(known, "the key '", key, "' is there twice or not known");
    if (key == "descr") once(header.type, descr);
    if (key == "fortran_order") once(header.reversed, truth);
    if (key == "shape") once(header.shape, sizes);
    in.skip();
    if (!in.takes(',')) in.require(in.next() == '}', "',' or '}' is expected");
  }
  in.skip();
  in.require(in.left() == 0, "the header has something behind its end");
  in.require(header.type && header.reversed && header.shape, "a key is missing in the header");
  return header;
}

// x, whose dimensions are reversed: its transpose.
Tensor turned(const Tensor& x) {
  std::vector<int> order(x.dim());
  std::iota(order.rbegin(), order.rend(), 0);
  return permute(x, order);
}

}  // namespace

void save_npy(const std::string& path, const Tensor& tensor) {
  TextStream header;
  header << "{'descr': '<f4', 'fortran_order': False, 'shape': (";
  for (const int64_t size : tensor.shape()) header << size << ", ";
  header << "), }";
  std::string text = header.str();
  // The array begins on a multiple of 64.
  text.append(63 - (npy_magic.size() + 4 + text.size()) % 64, ' ').append(1, '\n');
  std::string bytes(npy_magic);
  bytes += {'\1', '\0', static_cast<char>(text.size() & 255), static_cast<char>(text.size() >> 8)};
  write_file(path, bytes + text + float_bytes(tensor));
}

Tensor load_npy(const std::string& path) {
  const std::string bytes = read_file(path);
  FileReader file{path, bytes};
  file.require(bytes.starts_with(npy_magic), "this is not an .npy file");
  file.at = npy_magic.size();
  const auto major = file.take<uint8_t>(), minor = file.take<uint8_t>();
  file.require(1 <= major && major <= 3 && minor == 0, "version ", +major, ".", +minor,
               " is not known");
  const size_t length = major == 1 ? file.take<uint16_t>() : file.take<uint32_t>();
  file.require(length <= file.left(), "a header of ", length, " bytes, and ", file.left(),
               " are there");
  FileReader inside{path, std::string_view(bytes).substr(0, file.at + length), file.at};
  const Header header = parsed(inside);
  file.at += length;
  Shape shape;
  for (const int64_t size : *header.shape) {
    shape = shape.insert(*header.reversed ? 0 : shape.dims(), size);
  }
  const Tensor tensor = take_tensor(file, *header.type, shape);
  file.require(file.left() == 0, "the array ends here, and ", file.left(), " bytes follow");
  return *header.reversed ? turned(tensor) : tensor;
}

}  // namespace stepgrad::nn
