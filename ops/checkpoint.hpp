#pragma once

#include <type_traits>
#include <utility>

#include "core/check.hpp"
#include "core/tape/modes.hpp"
#include "core/tape/record.hpp"
#include "core/tape/tape.hpp"
#include "core/tensor/random.hpp"

namespace stepgrad {

// Y = f(X)
// dX = dY through f, which backward recomputes
template <class F>
struct CheckpointBackward final : Node {
  static constexpr Formula formula{"checkpoint", "Y = f(X)", "dX = dY through f, recomputed"};
  explicit CheckpointBackward(F function) : Node(formula), f(std::move(function)) {}
  void backward(Tensor dY) override {
    const Tensor again = X.off_tape().requires_grad_(static_cast<bool>(x));
    const Tensor Y = recomputed(again);
    for (const Node* made : reachable(Y)) {
      check<TapeError>(made->is_leaf() || made->number > number, "checkpoint at ", loc, ": f uses what ", made->op(),
          " at ", made->loc, " has made, and that is not its input");
    }
    if (Y.requires_grad()) Y.backward(std::move(dY));  // parameters that f uses get theirs here
    Tensor dX = again.grad();
    if (x && dX.defined()) x.add_grad(std::move(dX));  // undefined: f does not use x
  }

  bool has_second_gradient() const override { return false; }

  // f(X) as it was, with the same random numbers, but recorded.
  Tensor recomputed(const Tensor& again) {
    const RepeatDraws repeat(draws);
    const Autocast autocast(cast);
    const FusedOps fused_ops(fused);
    const EnableGrad enable_grad;
    return f(again);
  }

  F f;
  Input x{this};
  Saved X{this, "X", &x};
  Draws draws;  // made by f
  Cast cast = modes.cast;
  bool fused = fused_ops();
};

// f(x), saving only x: backward recomputes f with the same random numbers and gives bitwise equal
// gradients (Chen et al. 2016), as torch.utils.checkpoint. f is any callable from Tensor to Tensor;
// the node keeps a copy (a copied module shares its parameters). The result requires a gradient,
// since f's parameters are not known. f must not change x in place, and may use only x and leaves
// with a gradient; otherwise backward throws a TapeError midway. ValueError: the second time, f
// draws more random tensors.
template <class F>
[[nodiscard]] Tensor checkpoint(F&& f, Arg x) {
  check_operands("checkpoint", x);
  const ModuleCall call(x.loc);
  if (!grad_enabled()) return f(x.tensor);
  Ref node(new CheckpointBackward<std::decay_t<F>>(f));
  const RememberDraws remember(node->draws);
  const Tensor* const operands[] = {&x.tensor};
  connect(*node, operands, x.loc);
  node->X = x.tensor;
  const auto y = [&] {
    const Unshown inside;
    return Tensor(f(x.tensor)).off_tape();  // f may have returned x itself
  };
  return on_tape(y(), std::move(node));
}

}
