#pragma once

#include <cstdio>
#include <iostream>

namespace stepgrad::demo {

// The exit code of a program that has said all that it has to say: `code`, or 2 and a sentence if
// not all of it could be written, to a full disk for instance.
inline int said(int code, const char* program) {
  if (std::cout.flush() && std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
  std::cerr << program << ": not all of its output could be written.\n";
  return 2;
}

}  // namespace stepgrad::demo
