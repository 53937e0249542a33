#include "core/tape/modes.hpp"

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

namespace stepgrad {
namespace {

bool wanted_from_outside() {
  const char* given = std::getenv("STEPGRAD_FUSED");
  const std::string wanted = given ? given : "";
  if (wanted.empty() || wanted == "0") return false;
  if (wanted == "1") return true;
  throw std::invalid_argument("STEPGRAD_FUSED=" + wanted + " is neither 0 nor 1");
}

// A function, since an exception while a global is initialized would end the program.
bool& fusing() {
  static thread_local bool on = wanted_from_outside();
  return on;
}

}

constinit thread_local Modes modes;

bool fused_ops() { return fusing(); }

// Compares with the path of the sources, as given to the compiler, and of installed headers.
bool is_in(const char* room, const char* source) {
  constexpr std::string_view here = __FILE__;
  constexpr std::string_view tree = here.substr(0, here.rfind("core/tape/modes.cpp"));
  const std::string_view file = source ? source : "";
  return (file.starts_with(tree) && file.substr(tree.size()).starts_with(room)) ||
         file.find(std::string("/stepgrad/") + room) != file.npos;
}

FusedOps::FusedOps(bool on) : Scoped(fusing(), on) {}

}
