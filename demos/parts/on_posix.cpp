#include <sys/ioctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "demos/parts/picture.hpp"
#include "demos/parts/terminal.hpp"

namespace stepgrad::demo {

int terminal_width() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

bool gnuplot(std::string_view script) {
  std::signal(SIGPIPE, SIG_IGN);  // a gnuplot that dies early is a false here, and not our end
  FILE* pipe = popen("gnuplot >/dev/null 2>&1", "w");
  if (!pipe) return false;
  const bool taken = std::fwrite(script.data(), 1, script.size(), pipe) == script.size();
  return pclose(pipe) == 0 && taken;
}

}  // namespace stepgrad::demo
