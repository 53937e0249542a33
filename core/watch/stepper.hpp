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
// A leaf has a step of its own, called leaf, right after the last op that uses it: until then its
// grad() is what it was before the pass. Nothing that the tape saved is freed. When it is
// destroyed, gradients on their way are forgotten, and what leaves have received stays. What hooks
// have done is not undone. No other pass may run over the same tape meanwhile.
class Stepper {
 public:
  explicit Stepper(const Tensor& loss, Tensor gradient = {});  // throws as Tensor::backward does
  ~Stepper() { pass_.resume(); }

  // Runs the next gradient, or undoes the last one, and returns its node; null at the end, or at
  // the start. A gradient that throws is undone.
  const Node* next();
  const Node* back();

  // Runs gradients until that of an `op` has run, and returns its node; null if there was none.
  const Node* run_until(std::string_view op);

 private:
  void undo_what_threw();

  KeepLedger keep_ledger_;  // what gradients are undone by
  Pass pass_;
  Node* node_;          // whose gradient is the next to run
  bool threw_ = false;  // the last gradient did: what is on its way must be added up again
};

}  // namespace stepgrad
