#pragma once

#include <string_view>

#include "core/tape/pass.hpp"
#include "core/watch/ledger.hpp"

namespace stepgrad {

// A backward pass that runs one gradient at a time, and goes back:
//
//   Stepper steps(loss);
//   while (const Node* node = steps.next()) std::cout << node->op() << '\n' << tape(loss);
//
// A leaf has a step of its own, called leaf, right after the last op that uses it; until then its
// grad() is that of before the pass. The tape is retained. The destructor drops gradients that no
// backward function has consumed; leaves keep what they have received. Side effects of hooks are
// not undone. No other pass may run over the same tape meanwhile.
class Stepper {
 public:
  // Throws as Tensor::backward does.
  explicit Stepper(const Tensor& loss, Tensor gradient = {}, Loc loc = Loc::here());
  ~Stepper() { pass_.resume(); }

  // next() runs the next gradient, back() undoes the last one. Each returns its node, or null at
  // the end or start. A gradient that throws is undone.
  const Node* next();
  const Node* back();

  // Runs gradients up to and including the first one of an `op`. Returns its node; null: none.
  const Node* run_until(std::string_view op);

 private:
  void undo_what_threw();

  KeepLedger keep_ledger_;  // back() needs it
  Pass pass_;
  Node* node_;          // the next node whose gradient runs
  bool threw_ = false;  // the last gradient threw: its node's dY must be summed again
};

}
