#include "core/watch/stepper.hpp"

#include "core/watch/going_back.hpp"

namespace stepgrad {
namespace {

struct Running {
  explicit Running(Pass& pass) : pass(pass) { pass.resume(); }
  ~Running() { pass.pause(); }
  Pass& pass;
};

}

Stepper::Stepper(const Tensor& loss, Tensor gradient, Loc loc)
    : pass_(loss, gradient.defined() ? gradient.copied() : gradient, true, false, loc), node_(pass_.next()) {
  pass_.pause();
}

const Node* Stepper::next() {
  if (!node_) return nullptr;
  const Running running(pass_);
  undo_what_threw();
  threw_ = true;
  try {
    stepgrad_backward_step(*node_, pass_.gradient());
  } catch (...) {
    take_back(*node_);
    throw;
  }
  threw_ = false;
  const Node* ran = std::exchange(node_, nullptr);  // pass_.next() may throw
  node_ = pass_.next();
  return ran;
}

const Node* Stepper::back() {
  const Running running(pass_);
  undo_what_threw();
  Node* undone = go_back(pass_);
  if (undone) node_ = undone;
  return undone;
}

void Stepper::undo_what_threw() {
  if (threw_) undo(*node_);
  threw_ = false;
}

const Node* Stepper::run_until(std::string_view op) {
  while (const Node* node = next()) {
    if (node->op() == op) return node;
  }
  return nullptr;
}

}
