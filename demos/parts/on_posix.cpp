#include <sys/ioctl.h>
#include <unistd.h>

#include "demos/parts/command_line.hpp"
#include "demos/parts/terminal.hpp"

namespace stepgrad::demo {

int terminal_width() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::vector<std::string> arguments(int argc, char** argv) { return {argv + 1, argv + argc}; }

}
