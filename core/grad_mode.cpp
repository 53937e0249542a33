#include "core/grad_mode.hpp"

#include <utility>

namespace stepgrad {
namespace {

thread_local bool recording = true;
thread_local Loc outermost_call;

}  // namespace

bool grad_enabled() { return recording; }

NoGrad::NoGrad() : before_(std::exchange(recording, false)) {}
NoGrad::~NoGrad() { recording = before_; }

EnableGrad::EnableGrad() : before_(std::exchange(recording, true)) {}
EnableGrad::~EnableGrad() { recording = before_; }

ModuleCall::ModuleCall(Loc loc) : before_(outermost_call) {
  if (!outermost_call.file) outermost_call = loc;
}
ModuleCall::~ModuleCall() { outermost_call = before_; }
Loc ModuleCall::outermost() { return outermost_call; }

}  // namespace stepgrad
