#pragma once

#include <utility>

#include "core/tensor/tensor.hpp"

// What a thread switches for the rest of a scope: each a guard, which puts back what it found.
namespace stepgrad {

// While one lives, `variable` has another value.
template <class T>
class Scoped {
 public:
  Scoped(T& variable, T value) : variable_(variable), before_(std::exchange(variable, value)) {}
  ~Scoped() { variable_ = before_; }
  Scoped(const Scoped&) = delete;

 private:
  T& variable_;
  T before_;
};

// An op that rounds every element to a narrower format and passes the gradient rounded likewise:
// bfloat16 or half.
using Cast = Tensor (*)(Arg);

// What this thread's ops go by. In C++ only the guards below and a backward pass change it.
struct Modes {
  bool grad = true;                   // this thread records
  Cast cast = nullptr;                // see Autocast
  Loc op_call;                        // see OpCall; file is null outside of any
  Loc module_call;                    // see ModuleCall; likewise
  const Node* gradient_of = nullptr;  // with create_graph: the node whose rule runs
};
extern constinit thread_local Modes modes;

// Whether this thread records ops. On at first. Nothing is recorded inside a parallel region.
inline bool grad_enabled() { return modes.grad; }

// While one lives, this thread records nothing, and that costs nothing.
struct NoGrad : Scoped<bool> {
  NoGrad() : Scoped(modes.grad, false) {}
};

// While one lives, this thread records, also inside a NoGrad scope: PyTorch's enable_grad.
struct EnableGrad : Scoped<bool> {
  EnableGrad() : Scoped(modes.grad, true) {}
};

// While one lives, this thread's matrix products are those of a narrower format, as under
// torch.autocast: matmul and linear round their operands and their result, and so in backward the
// gradients, while sums within a product, all other ops and the parameters stay in fp32.
//   const Autocast autocast(bfloat16);
struct Autocast : Scoped<Cast> {
  explicit Autocast(Cast cast) : Scoped(modes.cast, cast) {}  // null: none
};

// Whether this thread's modules take fused ops: one node for several steps of the document, faster
// and with less memory, but not to be stepped through. Off at first, or on with STEPGRAD_FUSED=1.
// Throws std::invalid_argument, as FusedOps does, if that variable is neither 0 nor 1 nor empty.
bool fused_ops();

// While one lives, fusing is on (or off) for this thread.
struct FusedOps : Scoped<bool> {
  explicit FusedOps(bool on = true);
};

// An op that is made of other ops holds one: while it lives, they carry `loc`, where the outermost
// op was called, as the line that they were called at.
struct OpCall : Scoped<Loc> {
  explicit OpCall(Loc loc) : Scoped(modes.op_call, modes.op_call.file ? modes.op_call : loc) {}
};

// Whether a line is in nn/, and not the reader's.
bool is_in_nn(Loc loc);

// A module's call operator holds one: while it lives, ops carry, beside their own line, that of the
// reader's which called the module. If modules of nn/ call modules, it is the outermost's.
struct ModuleCall : Scoped<Loc> {
  explicit ModuleCall(Loc loc)
      : Scoped(modes.module_call,
               modes.module_call.file && is_in_nn(loc) ? modes.module_call : loc) {}
};

}  // namespace stepgrad
