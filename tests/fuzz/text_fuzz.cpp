// Any bytes as a text to learn from: an Error, or characters that are the bytes again.
#include "core/check.hpp"
#include "demos/parts/text.hpp"
#include "tests/fuzz/file.hpp"

using namespace stepgrad;

void try_bytes(std::string_view bytes) {
  try {
    const std::u32string characters = demo::decode_utf8(bytes);
    require(demo::encode_utf8(characters) == bytes, "other bytes when written again");
  } catch (const Error&) {
  }
  const File file(bytes);
  try {
    const demo::Text read(demo::read_text(file.path()));
    require(0 <= read.held_out() && read.held_out() <= read.size(), "held out where nothing is");
    for (const int32_t id : read.ids) {
      require(0 <= id && id < int32_t(read.alphabet.size()), "an id without a letter");
    }
    demo::printable(demo::read_text(file.path()));
  } catch (const Error&) {
  }
}
