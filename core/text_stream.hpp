#pragma once

#include <sstream>

namespace stepgrad {

// Writes a text. A plain std::ostringstream leaves out what it has no memory for, and nobody is
// told: this one throws. And it writes numbers the same way in every locale.
struct TextStream : std::ostringstream {
  TextStream() {
    exceptions(badbit);
    imbue(std::locale::classic());
  }
};

}  // namespace stepgrad
