#include "core/loc.hpp"

#include <ostream>
#include <string_view>

namespace stepgrad {

constinit thread_local CallLines call_lines;

Loc failing_line() {
  const auto& [arg, op, module] = call_lines;
  return op.file ? op : arg ? *arg : module;
}

void name_line(std::ostream& text) {
  const Loc line = failing_line(), module = call_lines.module;
  if (!errors_name_lines || !line.file) return;
  text << " (at " << line;
  const bool called_here = module.file == line.file && module.line == line.line;
  if (module.file && !called_here) text << ", from " << module;
  text << ')';
}

std::ostream& operator<<(std::ostream& out, const Loc& loc) {
  if (!loc.file) return out << "?";
  const std::string_view file = loc.file;
  return out << file.substr(file.find_last_of("/\\") + 1) << ':' << loc.line;
}

}
