#pragma once

#include "core/tensor.hpp"

namespace stepgrad {

// Whether this thread records ops. On at first. Nothing is recorded inside a parallel region.
bool grad_enabled();

// While one lives, this thread records nothing, and that costs nothing.
class NoGrad {
 public:
  NoGrad();
  ~NoGrad();
  NoGrad(const NoGrad&) = delete;

 private:
  bool before_;
};

// While one lives, this thread records, also inside a NoGrad scope: PyTorch's enable_grad.
class EnableGrad {
 public:
  EnableGrad();
  ~EnableGrad();
  EnableGrad(const EnableGrad&) = delete;

 private:
  bool before_;
};

// While one lives, ops recorded by this thread carry `loc` as the reader's line, unless an outer
// one is alive: a module's call operator holds one.
class ModuleCall {
 public:
  explicit ModuleCall(Loc loc);
  ~ModuleCall();
  ModuleCall(const ModuleCall&) = delete;
  static Loc outermost();  // file is null outside of any

 private:
  Loc before_;
};

}  // namespace stepgrad
