#include "core/fused_mode.hpp"

#include <cstdlib>
#include <cstring>
#include <utility>

namespace stepgrad {
namespace {

bool wanted_from_outside() {
  const char* wanted = std::getenv("STEPGRAD_FUSED");
  return wanted && !std::strcmp(wanted, "1");
}

thread_local bool fusing = wanted_from_outside();

}  // namespace

bool fused_ops() { return fusing; }

FusedOps::FusedOps(bool on) : before_(std::exchange(fusing, on)) {}
FusedOps::~FusedOps() { fusing = before_; }

}  // namespace stepgrad
