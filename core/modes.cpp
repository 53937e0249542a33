#include "core/modes.hpp"

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace stepgrad {
namespace {

bool wanted_from_outside() {
  const char* given = std::getenv("STEPGRAD_FUSED");
  const std::string wanted = given ? given : "";
  if (wanted.empty() || wanted == "0") return false;
  if (wanted == "1") return true;
  throw std::invalid_argument("STEPGRAD_FUSED=" + wanted + " is neither 0 nor 1");
}

// A function: an exception from the first value of a global would end the program.
bool& fusing() {
  static thread_local bool on = wanted_from_outside();
  return on;
}

}  // namespace

constinit thread_local Modes modes;

bool fused_ops() { return fusing(); }

FusedOps::FusedOps(bool on) : Scoped(fusing(), on) {}

}  // namespace stepgrad
