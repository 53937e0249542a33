#pragma once

#include <string>

namespace stepgrad {

// What the E says that f throws. Anything else that it throws goes through to the test.
template <class E, class F>
std::string message(F f) {
  try {
    f();
  } catch (const E& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace stepgrad
