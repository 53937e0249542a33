// Any bytes as a vocabulary: a FileError, or one that makes ids of its own of any text.
#include "core/check.hpp"
#include "nn/text/vocabulary.hpp"
#include "tests/fuzz/file.hpp"

using namespace stepgrad;

void try_bytes(std::string_view bytes) {
  const File file(bytes);
  try {
    const nn::Vocabulary vocabulary = nn::Vocabulary::load(file.path());
    for (const char* line : {"a cat sat on the mat", "ＡＢＣ ①②③ ﾊﾝｶｸ ½ é", "\xff\xfe \xc3", ""}) {
      const std::vector<int64_t> ids = vocabulary.encode_as_ids(line);
      for (const int64_t id : ids) {
        require(0 <= id && id < vocabulary.size(), "an id that does not exist");
      }
      vocabulary.decode_ids(ids);
    }
  } catch (const FileError&) {
  }
}
