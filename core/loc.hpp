#pragma once

#include <iosfwd>

namespace stepgrad {

// A line of source code. Loc::here() as a default argument is the caller's line.
struct Loc {
  const char* file = nullptr;
  int line = 0;
  static Loc here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};
std::ostream& operator<<(std::ostream& out, const Loc& loc);  // ffn.cpp:12

}  // namespace stepgrad
