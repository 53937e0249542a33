#include "core/watch/stepper.hpp"

#include "core/watch/ledger.hpp"

namespace stepgrad {
namespace {

struct Running {
  explicit Running(Walk& walk) : walk(walk) { walk.resume(); }
  ~Running() { walk.pause(); }
  Walk& walk;
};

}  // namespace

Stepper::KeepLedger::KeepLedger() : before(ledger_switch.kept) { set_ledger(true); }
Stepper::KeepLedger::~KeepLedger() { set_ledger(before); }

Stepper::Stepper(const Tensor& loss, Tensor gradient)
    : walk_(loss, std::move(gradient), true), node_(walk_.next()) {
  walk_.pause();
}

const Node* Stepper::next() {
  if (!node_) return nullptr;
  const Running running(walk_);
  try {
    stepgrad_backward_step(*node_, walk_.gradient());
  } catch (...) {
    undo(*node_);
    throw;
  }
  return std::exchange(node_, walk_.next());
}

const Node* Stepper::back() {
  const Running running(walk_);
  Node* undone = walk_.back();
  if (undone) node_ = undone;
  return undone;
}

const Node* Stepper::run_until(std::string_view op) {
  while (const Node* node = next()) {
    if (node->op() == op) return node;
  }
  return nullptr;
}

}  // namespace stepgrad
