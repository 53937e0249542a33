#include "core/tape/accumulate.hpp"

#include "core/check.hpp"
#include "core/tape/modes.hpp"
#include "core/tape/observer.hpp"
#include "core/tensor/reduce.hpp"

// How contributions add up, at an op's input and in a leaf. With create_graph they are added by
// ops, whose methods ops/ defines and which the tape records; without, in place by a kernel.
namespace stepgrad {

static Tensor un_broadcast(const Tensor& g, const Shape& shape) {
  if (!(grad_enabled() && g.requires_grad())) return sum_to(g, shape);
  const DimSet set = stretched(g.shape(), shape);
  std::vector<int> dims;
  for (int dim = 0; dim < g.dim(); ++dim)
    if (set.has[dim]) dims.push_back(dim);
  return (dims.empty() ? g : g.sum(dims, true)).reshape(shape);
}

void Input::add_grad(Tensor g, Loc loc) const {
  if (!node)
    fail_at<TapeError>(loc, "add_grad: the input ", *name ? "'" : "", name, *name ? "' " : "", shape,
        " requires no gradient: ask if (x) before x.add_grad(...)");
  if (node->pass.left_out) return;
  if (!node->wants_grad) return;  // a leaf that was frozen after it was used
  Tensor summed;
  if (!(g.shape(loc) == shape)) {
    const CallLine line(loc);  // the gradient's own, for messages
    summed = un_broadcast(g, shape);
  }
  Tensor& added = summed.defined() ? summed : g;
  if (observing::pass) tell(observing::pass, &Observer::gradient_adds, *this, g.shape(), added);
  arrive(node->pass.arrived, std::move(added));
}

void AccumulateGrad::backward(Tensor dY) {
  accumulate(grad, std::move(dY));  // grad += dY
}

// Nothing is written over in a pass that is recorded.
void arrive(Tensor& sum, Tensor g) {
  if (!grad_enabled()) return accumulate(sum, std::move(g));
  sum = sum.defined() ? sum.add(g) : std::move(g);
}

void accumulate(Tensor& sum, Tensor g) {
  if (sum.defined())
    check<ShapeError>(
        sum.shape() == g.shape(), "backward: a gradient of ", g.shape(), " is not added to one of ", sum.shape());
  const bool recorded = grad_enabled() && (g.requires_grad() || (sum.defined() && sum.requires_grad()));
  if (!sum.defined()) {
    sum = g.owned_alone() ? std::move(g) : recorded ? g.clone() : g.copied();
  } else if (recorded) {
    sum = sum.add(g);
  } else {
    kernels::table().add(in_order(sum.numel()), sum.data(), g.data(), sum.data());
    sum.increment_version();
    sum.storage()->of_gradients |= g.storage()->of_gradients;
  }
}

Tensor without_history(Tensor g) {
  if (g.defined() && g.kind() == Kind::integer) return g.copied().set_kind(Kind::floating);
  if (g.defined() && g.node()) return g.off_tape();
  return g;
}

}
