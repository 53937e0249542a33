// Any bytes as an .npy file: a FileError, or a tensor that survives being written and read.
#include "core/check.hpp"
#include "nn/files/npy.hpp"
#include "tests/fuzz/file.hpp"

using namespace stepgrad;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const File file(text(data, size));
  Tensor x;
  try {
    x = nn::load_npy(file.path());
  } catch (const FileError&) {
    return 0;
  }
  nn::save_npy(scratch_file(), x);
  require(same(nn::load_npy(scratch_file()), x), "the array is another one when read again");
  return 0;
}
