#pragma once

#include <cstdio>
#include <iostream>

namespace stepgrad::demo {

// A program's exit code: `code`, or 2 and a sentence if its output could not be written, for
// instance to a full disk.
inline int said(int code, const char* program) {
  if (std::cout.flush() && std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
  std::cerr << program << ": not all of its output could be written.\n";
  return 2;
}

}
