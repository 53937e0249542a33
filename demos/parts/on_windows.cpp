// Instead of on_posix.cpp.
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
// windows.h first
#include <shellapi.h>

#include "core/path.hpp"
#include "demos/parts/command_line.hpp"
#include "demos/parts/terminal.hpp"

namespace stepgrad::demo {

int terminal_width() { return 80; }  // of any terminal

// argv has them in Windows' code page.
std::vector<std::string> arguments(int, char**) {
  int count = 0;
  wchar_t** const words = CommandLineToArgvW(GetCommandLineW(), &count);
  std::vector<std::string> result;
  for (int i = 1; i < count; ++i) result.push_back(name_of(words[i]));
  LocalFree(words);
  return result;
}

}
