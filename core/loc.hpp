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

// The line that called the op that this thread runs, for errors; file is null outside of one.
extern constinit thread_local Loc called_at_line;

// An op's parameter for that line: while it lives, errors name it.
struct CallLine : Loc {
  CallLine(Loc loc) : Loc(loc) { called_at_line = loc; }
  CallLine(const CallLine&) = default;
  CallLine& operator=(const CallLine&) = default;
  ~CallLine() { called_at_line.file = nullptr; }
};

}  // namespace stepgrad
