// Any bytes as a file of safetensors: a FileError, or tensors that survive being written and read.
#include <algorithm>

#include "core/check.hpp"
#include "nn/files/safetensors.hpp"
#include "tests/fuzz/file.hpp"
#include "tests/support/folder.hpp"

using namespace stepgrad;

void try_bytes(std::string_view bytes) {
  const File file(bytes);
  nn::NamedTensors tensors;
  try {
    tensors = nn::load_safetensors(file.path());
  } catch (const FileError&) {
    return;
  }
  static const Folder folder;
  nn::save_safetensors(folder.file("again"), tensors);
  nn::NamedTensors again = nn::load_safetensors(folder.file("again"));
  require(again.size() == tensors.size(), "other tensors when read again");
  for (const auto& [name, x] : tensors) {
    const bool found = std::any_of(again.begin(), again.end(),
        [&, &name = name, &x = x](auto& y) { return y.first == name && same(y.second, x); });
    require(found, "a tensor is another one when read again");
  }
}
