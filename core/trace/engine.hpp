#pragma once

#include <exception>
#include <string>

#include "core/loc.hpp"

// Shared by the functions that a page calls in WebAssembly.
namespace stepgrad {

#define ENGINE(result, name, ...) extern "C" __attribute__((export_name(#name))) result engine_##name(__VA_ARGS__)

extern std::string text_in, text_out;  // text from and to the page

// Returns 0 if f threw; text_out is then the message.
template <class F>
int engine_try(F f) {
  errors_name_lines = false;  // they would be the engine's
  try {
    f();
    return 1;
  } catch (const std::exception& error) {
    text_out = error.what();
    return 0;
  }
}

}
