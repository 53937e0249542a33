#include "core/loc.hpp"

#include <cstring>
#include <ostream>

namespace stepgrad {

constinit thread_local Loc called_at_line;

std::ostream& operator<<(std::ostream& out, const Loc& loc) {
  if (!loc.file) return out << "?";
  const char* slash = std::strrchr(loc.file, '/');
  return out << (slash ? slash + 1 : loc.file) << ':' << loc.line;
}

}  // namespace stepgrad
