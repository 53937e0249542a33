// Any bytes as a state file: a FileError, or tensors that survive being written and read. The sum
// at its end is made right here, or nothing but that would be seen.
#include "core/check.hpp"
#include "nn/state.hpp"
#include "tests/fuzz/file.hpp"
#include "tests/fuzz/folder.hpp"

using namespace stepgrad;

static std::string with_sum(std::string_view bytes) {
  uint64_t hash = 14695981039346656037u;
  for (const unsigned char byte : bytes) hash = (hash ^ byte) * 1099511628211u;
  return std::string(bytes) + std::string(reinterpret_cast<const char*>(&hash), sizeof hash);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const File file(with_sum(text(data, size < 8 ? size : size - 8)));
  nn::NamedTensors tensors;
  try {
    tensors = nn::load_tensors(file.path());
  } catch (const FileError&) {
    return 0;
  }
  nn::save_parameters(scratch_file(), tensors);
  const nn::NamedTensors again = nn::load_tensors(scratch_file());
  require(again.size() == tensors.size(), "other tensors when read again");
  for (size_t i = 0; i < again.size(); ++i) {
    require(again[i].first == tensors[i].first && same(again[i].second, tensors[i].second),
            "a tensor is another one when read again");
  }
  return 0;
}
