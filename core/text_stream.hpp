#pragma once

#include <sstream>

namespace stepgrad {

// A std::ostringstream that throws when memory runs out (the plain one truncates silently), and
// that writes numbers the same way in every locale.
struct TextStream : std::ostringstream {
  TextStream() {
    exceptions(badbit);
    imbue(std::locale::classic());
  }
};

template <class... Parts>
std::string text_of(const Parts&... parts) {
  TextStream text;
  (text << ... << parts);
  return text.str();
}

}
