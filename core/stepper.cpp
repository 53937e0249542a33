#include "core/stepper.hpp"

#include "core/ledger.hpp"

namespace stepgrad {
namespace {

struct Running {
  explicit Running(Walk& walk) : walk(walk) { walk.resume(); }
  ~Running() { walk.pause(); }
  Walk& walk;
};

}  // namespace

Backward::KeepLedger::KeepLedger() : before(watch.keeping_ledger) { set_ledger(true); }
Backward::KeepLedger::~KeepLedger() { set_ledger(before); }

Backward::Backward(const Tensor& loss, Tensor gradient)
    : walk_(loss, std::move(gradient), true), node_(walk_.next()) {
  walk_.pause();
}

const Node* Backward::next() {
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

const Node* Backward::back() {
  const Running running(walk_);
  Node* undone = walk_.back();
  if (undone) node_ = undone;
  return undone;
}

const Node* Backward::run_until(std::string_view op) {
  while (const Node* node = next()) {
    if (node->op() == op) return node;
  }
  return nullptr;
}

}  // namespace stepgrad
