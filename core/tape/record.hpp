#pragma once

#include <concepts>
#include <span>

#include "core/tape/modes.hpp"
#include "core/tape/observer.hpp"

// What an op needs to put itself on the tape.
namespace stepgrad {

void set_lines(Node& node, Loc loc);  // where the op was called, and the module around it
void connect(Node& node, Operands operands, Loc loc);
bool wants_grad(Operands operands);

// The formulas of all ops that are recorded are known by their names.
template <class N>
inline const KnownFormula known_formula{N::formula};

// For the Formula of an op that is computed from its inputs alone.
template <Tensor (*op)(Arg)>
Tensor of_one(Inputs x, const Attributes&) {
  return op(x[0]);
}
template <Tensor (*op)(Arg, Arg)>
Tensor of_two(Inputs x, const Attributes&) {
  return op(x[0], x[1]);
}

// A new node N(made_of...) with its inputs connected to the operands, in the order of its members;
// null if no gradient is wanted or nothing is being recorded. The op then saves what its gradient
// needs, computes its output, and calls on_tape. Saving comes first: it keeps what is saved from
// being taken over.
template <class N, class... Parts>
Ref<N> record(Operands operands, Loc loc, Parts... made_of) {
  const bool wanted = wants_grad(operands);
  if (!wanted && !(observing::every_op && grad_enabled())) return {};
  if constexpr (requires {
                  { &N::formula } -> std::same_as<const Formula*>;
                })
    static_cast<void>(&known_formula<N>);
  Ref<N> node(new N(made_of...));
  node->wants_grad = wanted;
  connect(*node, operands, loc);
  return node;
}

// The same for an op of some Args.
template <class N, std::same_as<Arg>... Args>
Ref<N> record(const Arg& first, const Args&... others) {
  const Tensor* const operands[] = {&first.tensor, &others.tensor...};
  return record<N>(operands, first.loc);
}

// record() for a product of a and b: each is saved, as A and B, only if the other wants a gradient.
template <class N>
Ref<N> record_product(const Arg& a, const Arg& b) {
  Ref<N> node = record<N>(a, b);
  if (node && node->b) node->A = a.tensor;
  if (node && node->a) node->B = b.tensor;
  return node;
}

// The same, and a tensor of `shape` for the result: one line of the op, one step in a debugger.
template <class N>
std::pair<Tensor, Ref<N>> record_product(const Shape& shape, const Arg& a, const Arg& b) {
  const bool whole = a.tensor.whole() && b.tensor.whole();
  return {Tensor::empty(shape).set_whole(whole), record_product<N>(a, b)};
}

// A new node without inputs, which is there to be seen; null if nothing is being recorded.
template <class N>
Ref<N> record_constant(Loc loc) {
  if (!grad_enabled()) return {};
  static_cast<void>(&known_formula<N>);
  Ref<N> node(new N);
  set_lines(*node, loc);
  return node;
}

// Makes y the node's output, if there is a node.
template <class N>
Tensor on_tape(Tensor y, Ref<N> node) {
  if (!node) return y;
  if (const Observers watching = observers()) tell(watching, &Observer::op_ends, *node, y);
  y.set_node(std::move(node));
  return y;
}

// For an op that overwrites x with something of `shape`. ShapeError: x has another. TapeError if it
// would be recorded and x is a leaf that requires a gradient, or shares its data with another
// tensor that is not detached: with a view, whose history would be wrong, also of one that came
// onto the tape later.
void check_in_place(const char* op, const Tensor& x, const Shape& shape, bool recorded);

// Counts the new version of x, which a node, if there is one, has made. What retain_grad() asked
// for is from here on the gradient of that; a hook stays with the numbers it was registered for.
template <class N>
Tensor written_in_place(const Tensor& x, Ref<N> node) {
  x.increment_version();
  if (node && x.node()) node->retains_grad = std::exchange(x.node()->retains_grad, false);
  return on_tape(x, std::move(node));
}

}  // namespace stepgrad
