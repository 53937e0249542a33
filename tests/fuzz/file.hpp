#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// Bytes as a file in memory, under a path that anything can read or write.
class File {
 public:
  explicit File(std::string_view bytes) : number_(memfd_create("fuzz", 0)) {
    if (write(number_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) abort();
  }
  File(const File&) = delete;
  ~File() { close(number_); }

  std::string path() const { return "/proc/self/fd/" + std::to_string(number_); }

 private:
  int number_;
};

// Properties of any file that was read.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  abort();
}

// Bit by bit, but for a NaN, whose bits need not survive a conversion.
inline bool same(const Tensor& a, const Tensor& b) {
  if (!(a.shape() == b.shape())) return false;
  for (int64_t i = 0; i < a.numel(); ++i) {
    const Scalar x = a.data()[i], y = b.data()[i];
    if (!(x == y || (x != x && y != y))) return false;
  }
  return true;
}

}
