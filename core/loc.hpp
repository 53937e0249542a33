#pragma once

#include <iosfwd>

namespace stepgrad {

// A line of source code. Loc::here() as a default argument is the caller's line.
struct Loc {
  const char* file = nullptr;
  int line = 0;
  static Loc here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) { return {file, line}; }
};
std::ostream& operator<<(std::ostream& out, const Loc& loc);  // ffn.cpp:12

// The lines that called what this thread runs; file is null outside of it.
struct CallLines {
  const Loc* arg = nullptr;  // of an op's latest parameter, see CallLine
  Loc op;                    // see OpCall
  Loc module;                // see ModuleCall
};
extern constinit thread_local CallLines call_lines;
inline bool errors_name_lines = true;  // not in Python, whose traceback has the line

Loc failing_line();  // the line that an error names

// Adds " (at main.cpp:12)" inside an op or a module.
void name_line(std::ostream& text);

// An op's parameter for the line that called it: while it lives, errors name that line.
struct CallLine : Loc {
  CallLine(Loc loc) : Loc(loc) { call_lines.arg = this; }
  // Part by part: a load of 16 bytes would wait for the stores of 8 and 4 that it spans.
  CallLine(const CallLine& other) : Loc{other.file, other.line} {}
  CallLine& operator=(const CallLine&) = default;
  ~CallLine() {  // a copy is nobody's latest
    if (call_lines.arg == this) call_lines.arg = nullptr;
  }
};

}
