#pragma once

#include <string>

namespace stepgrad {

// The message of the E that f throws, without its line. Other exceptions go through to the test.
template <class E>
std::string message(auto f) {
  try {
    f();
  } catch (const E& error) {
    const std::string text = error.what();
    return text.substr(0, text.find(" (at "));
  }
  return "nothing was thrown";
}

}

// CHECKs that the call throws an E, and what it says.
#define CHECK_ERROR(E, call, said) CHECK(stepgrad::message<E>([&] { call; }) == said)
