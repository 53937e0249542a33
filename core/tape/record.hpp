#pragma once

#include <concepts>
#include <span>

#include "core/tape/modes.hpp"
#include "core/tape/observer.hpp"

// What an op needs to put itself on the tape. ops/neg.cpp has it all in two lines, and an op that
// saves something has three:
//
//   auto node = record<TanhBackward>(x);    // a node with its inputs; null if none is wanted
//   const Tensor y = ...;                   // computed by a kernel
//   if (node) node->Y = y;                  // saved for its gradient
//   return on_tape(y, std::move(node));     // y, whose history the node is
//
// What is an input is saved before y is computed: what is saved has a second owner, so that its
// memory is not taken over for y.
namespace stepgrad {

void set_lines(Node& node, Loc loc);  // where the op was called, and the module around it
void connect(Node& node, Operands operands, Loc loc);  // the same, and its inputs, in their order
bool wants_grad(Operands operands);                    // this thread records, and one wants it
Kind kind_of(Operands operands);                       // integer if all of them are

// Whether all nodes of class N have one formula. Other classes are for many: of Python's functions.
template <class N>
concept OfOneFormula = requires {
  { &N::formula } -> std::same_as<const Formula*>;
};

// What the op makes of integers alone.
template <class N>
constexpr Kind of_integers = Kind::integer;
template <OfOneFormula N>
constexpr Kind of_integers<N> = N::formula.of_integers;

// An op's node, or null, and the kind of the numbers that the op makes.
template <class N>
struct Recorded : Ref<N> {
  Kind kind = Kind::floating;
};

// A new node N(made_of...) with its inputs connected to the operands, in the order of its members.
// Null if no gradient is wanted or nothing is being recorded, unless an observer wants every op.
template <class N, class... Parts>
Recorded<N> record(Operands operands, Loc loc, Parts... made_of) {
  const bool wanted = wants_grad(operands);  // then it makes floats, as gradients are
  const Kind kind = wanted ? Kind::floating : promoted(kind_of(operands), of_integers<N>);
  if (!wanted && !(observing::every_op && grad_enabled())) return {{}, kind};
  if constexpr (OfOneFormula<N>) static_cast<void>(&known_formula<N>);  // so that it exists
  Ref<N> node(new N(made_of...));
  node->wants_grad = wanted;
  connect(*node, operands, loc);
  return {std::move(node), kind};
}

// The same for an op of some Args.
template <class N, std::same_as<Arg>... Args>
Recorded<N> record(const Arg& first, const Args&... others) {
  const Tensor* const operands[] = {&first.tensor, &others.tensor...};
  return record<N>(operands, first.loc);
}

// record() for a product of a and b: each is saved, as A and B, only if the other wants a gradient.
template <class N>
Recorded<N> record_product(const Arg& a, const Arg& b) {
  auto node = record<N>(a, b);
  if (node && node->b) node->A = a.tensor;
  if (node && node->a) node->B = b.tensor;
  return node;
}

// The same, and a tensor of `shape` for the result: one line of the op, one step in a debugger.
template <class N>
std::pair<Tensor, Recorded<N>> record_product(const Shape& shape, const Arg& a, const Arg& b) {
  return {Tensor::empty(shape), record_product<N>(a, b)};
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
template <class N>
Tensor on_tape(Tensor y, Recorded<N> node) {
  y.set_kind(node.kind);
  return on_tape(std::move(y), static_cast<Ref<N>&&>(node));
}

// For an op that overwrites x with something of `shape`. ShapeError: x has another. TapeError if it
// would be recorded and x is a leaf that requires a gradient, or shares its data with another
// tensor that is not detached: with a view, whose history would be wrong, also of one that came
// onto the tape later.
void check_in_place(const char* op, const Tensor& x, const Shape& shape, bool recorded);

// Counts the new version of x, which a node, if there is one, has made. What retain_grad() asked
// for is from here on the gradient of that; a hook stays with the numbers it was registered for.
template <class N>
Tensor written_in_place(const Tensor& x, N node) {
  x.increment_version();
  if (node && x.node()) node->retains_grad = std::exchange(x.node()->retains_grad, false);
  return on_tape(x, std::move(node));
}

}  // namespace stepgrad
