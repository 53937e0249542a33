#include "core/loc.hpp"

#include <cstring>
#include <ostream>

namespace stepgrad {

constinit thread_local CallLines call_lines;

void name_line(std::ostream& text) {
  const auto& [arg, op, module] = call_lines;
  const Loc line = op.file ? op : arg ? *arg : module;
  if (!errors_name_lines || !line.file) return;
  text << " (at " << line;
  const bool called_here = module.file == line.file && module.line == line.line;
  if (module.file && !called_here) text << ", from " << module;
  text << ')';
}

std::ostream& operator<<(std::ostream& out, const Loc& loc) {
  if (!loc.file) return out << "?";
  const char* slash = std::strrchr(loc.file, '/');
  return out << (slash ? slash + 1 : loc.file) << ':' << loc.line;
}

}  // namespace stepgrad
