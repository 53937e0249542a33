// Reads safetensors files that others have written, says what is in them, and writes them again. A
// line of the input is "FROM TO"; the answer is "NAME SHAPE FLOATS ..." with names and
// little-endian floats in hexadecimal, or "refused: WHY".
#include <iostream>
#include <sstream>

#include "core/check.hpp"
#include "nn/files/safetensors.hpp"

using namespace stepgrad;

namespace {

std::string hexadecimal(const void* data, size_t size) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::string text = "x";
  for (size_t i = 0; i < size; ++i) {
    text += "0123456789abcdef"[bytes[i] >> 4];
    text += "0123456789abcdef"[bytes[i] & 15];
  }
  return text;
}

}

int main() {
  for (std::string from, to; std::cin >> from >> to;) {
    std::ostringstream answer;
    try {
      const nn::NamedTensors tensors = nn::load_safetensors(from);
      nn::save_safetensors(to, tensors);
      for (const auto& [name, x] : tensors) {
        answer << hexadecimal(name.data(), name.size()) << ' ';
        for (const int64_t size : x.shape()) answer << size << ',';
        answer << ' ' << hexadecimal(x.data(), x.numel() * sizeof(Scalar)) << ' ';
      }
    } catch (const FileError& error) {
      answer.str(std::string("refused: ") + error.what());
    }
    std::cout << answer.str() << std::endl;
  }
}
