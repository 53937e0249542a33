// Instead of on_posix.cpp: a width for any terminal.
#include "demos/parts/terminal.hpp"

namespace stepgrad::demo {

int terminal_width() { return 80; }

}  // namespace stepgrad::demo
