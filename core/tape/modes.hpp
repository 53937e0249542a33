#pragma once

#include <utility>

#include "core/tensor/tensor.hpp"

// Scope guards that switch a thread's modes, such as NoGrad. Each restores the previous value.
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

// An op that rounds every element, and in backward every element of the gradient, to a narrower
// format: bfloat16 or half.
using Cast = Tensor (*)(Arg);

// A thread's modes. In C++ only the guards below and a backward pass change them.
struct Modes {
  bool grad = true;                   // this thread records
  bool shows = true;                  // and, while a ledger is kept, ops without a gradient, too
  bool in_hook = false;               // a hook runs: the program's own code, in a pass
  Cast cast = nullptr;                // see Autocast
  const Node* gradient_of = nullptr;  // with create_graph: the node whose backward() runs
  bool fused = false;                 // see FusedOps
};
extern constinit thread_local Modes modes;

// Whether this thread records ops. On at first. Nothing is recorded inside a parallel region.
inline bool grad_enabled() { return modes.grad; }

// While one lives, this thread records nothing: PyTorch's no_grad.
struct NoGrad : Scoped<bool> {
  [[nodiscard]] NoGrad() : Scoped(modes.grad, false) {}
};

// For what the engine computes for itself: NoGrad, and nothing of it is recorded for display.
struct Unshown : NoGrad {
  Unshown() : shows_(modes.shows, false), in_hook_(modes.in_hook, false) {}

 private:
  Scoped<bool> shows_, in_hook_;
};

// While one lives, this thread records, also inside a NoGrad scope: PyTorch's enable_grad.
struct EnableGrad : Scoped<bool> {
  [[nodiscard]] EnableGrad() : Scoped(modes.grad, true) {}
};

// While one lives, matmul and linear round their operands and results to a narrower format on this
// thread, and their gradients in backward, as under torch.autocast. Sums within a product, all
// other ops and the parameters stay in fp32.
//   const Autocast autocast(bfloat16);
struct Autocast : Scoped<Cast> {
  [[nodiscard]] explicit Autocast(Cast cast) : Scoped(modes.cast, cast) {}  // null: none
};

// The largest number of this thread's threads for kernels, as kernels::set_num_threads. ValueError:
// not positive.
void set_num_threads(int threads, Loc loc = Loc::here());

// While one lives, this thread's modules use fused ops (with false: they do not). A fused op is one
// node for several steps of the document: faster and with less memory, but nothing to step through.
// Off at first.
struct FusedOps : Scoped<bool> {
  [[nodiscard]] explicit FusedOps(bool on = true) : Scoped(modes.fused, on) {}
};
inline bool fused_ops() { return modes.fused; }

// For an op made of other ops, another function, or a constructor's parameter: while one lives, ops
// are recorded with `loc`, the line that called the outermost one, and errors name it. ValueError:
// its operand x is undefined.
struct OpCall : Scoped<Loc> {
  OpCall(Loc loc) : Scoped(call_lines.op, call_lines.op.file ? call_lines.op : loc) {}
  explicit OpCall(const Arg& x, const char* op = __builtin_FUNCTION()) : OpCall((x.shape(op), x.loc)) {}
};

// Whether a source file is in "nn/" or "ops/", and not in user code. `header`: the name that this
// file had when the caller was compiled.
bool is_in(const char* room, const char* file, std::string_view header = "core/tape/modes.hpp");

// For a module's call operator or a function of nn/: while one lives, ops also record the line of
// user code that called it, the outermost one if modules of nn/ call modules.
struct ModuleCall : Scoped<Loc> {
  explicit ModuleCall(Loc loc)
      : Scoped(call_lines.module,
            call_lines.module.file && (is_in("nn/", loc.file, __FILE__) || is_in("ops/", loc.file, __FILE__))
                ? call_lines.module
                : loc) {}
};

}
