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
// dX = dY through f, which is computed once more for that
template <class F>
struct CheckpointBackward final : Node {
  static constexpr Formula formula{"checkpoint", "Y = f(X)", "dX = dY through f, computed again"};
  explicit CheckpointBackward(F function) : Node(formula), f(std::move(function)) {}
  void backward(Tensor dY) override {
    const Tensor again = X.detach().requires_grad_(static_cast<bool>(x));
    const Tensor Y = recomputed(again);
    for (const Node* made : reachable(Y)) {
      check<TapeError>(made->is_leaf() || made->number > number, "checkpoint at ", loc,
                       ": f uses what ", made->op(), " at ", made->loc,
                       " has made, and that is not its input");
    }
    if (Y.requires_grad()) Y.backward(std::move(dY));  // parameters that f uses get theirs here
    Tensor dX = again.grad();
    if (x && dX.defined()) x.add_grad(std::move(dX));  // undefined: f has no use for x
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
  Draws draws;  // those of f
  Cast cast = modes.cast;
  bool fused = fused_ops();
};

// f(x) with nothing kept of it for the gradient but x: backward computes it again, with the same
// random numbers, and gives the same gradients bit by bit (Chen et al. 2016), as
// torch.utils.checkpoint. f is anything that is called with a tensor and gives one; a copy of it is
// kept, which for a module means that it shares its parameters. The result requires a gradient,
// since f's parameters are not known. f must not change x in place, nor use other tensors with a
// gradient than x and leaves: backward throws a TapeError, in its midst. Nor must it draw more
// random tensors the second time: a ValueError.
template <class F>
Tensor checkpoint(F&& f, Arg x) {
  if (!grad_enabled()) return f(x.tensor);
  Ref node(new CheckpointBackward<std::decay_t<F>>(f));
  const RememberDraws remember(node->draws);
  const Tensor* const operands[] = {&x.tensor};
  connect(*node, operands, x.loc);
  node->X = x.tensor;
  const NoGrad no_grad;
  return on_tape(Tensor(f(x.tensor)).detach(), std::move(node));  // f may have returned x itself
}

}  // namespace stepgrad
