#pragma once

#include <concepts>
#include <optional>
#include <span>

#include "core/check.hpp"
#include "core/tape/modes.hpp"
#include "core/tape/observer.hpp"

// How an op records a node:
//
//   auto node = record<TanhBackward>(x);    // a node with its inputs; null if nothing is recorded
//   const Tensor y = ...;                   // computed by a kernel
//   if (node) node->Y = y;                  // saved for its gradient
//   return on_tape(y, std::move(node));     // returns y with node as its history
//
// Save inputs before computing y; otherwise y may reuse their memory.
namespace stepgrad {

void set_lines(Node& node, Loc loc);                   // where the op was called, and the module around it
void connect(Node& node, Operands operands, Loc loc);  // set_lines, and the inputs in order
bool wants_grad(Operands operands);                    // recording is on, and at least one requires a gradient
Kind kind_of(Operands operands);                       // integer if all operands are
bool wants_node();                                     // an observer wants a node without a gradient
inline Observers watchers(const Node& op) { return op.under_no_grad ? observers() & observing::steps : observers(); }

// True if all nodes of class N share one formula. Python functions carry one Formula per object.
template <class N>
concept OfOneFormula = requires {
  { &N::formula } -> std::same_as<const Formula*>;
};

// The result's Kind when all operands are integers.
template <class N>
constexpr Kind of_integers = Kind::integer;
template <OfOneFormula N>
constexpr Kind of_integers<N> = N::formula.of_integers;

// An op's node, or null, and the Kind of its result.
template <class N>
struct Recorded : Ref<N> {
  Kind kind = Kind::floating;
  N* operator->() const {
    check<TapeError>(this->get(), "nothing is recorded here: ask if (node) before node->...");
    return this->get();
  }
};

// A new node N(made_of...), its inputs connected to the operands in the order of its members. Null
// if no operand requires a gradient or recording is off, unless an observer wants every op.
template <class N, class... Parts>
Recorded<N> record(Operands operands, Loc loc, Parts... made_of) {
  const bool wanted = wants_grad(operands);  // then the result is floating, as its gradient is
  const Kind kind = wanted ? Kind::floating : promoted(kind_of(operands), of_integers<N>);
  if (!wanted && !(observers() && wants_node())) return {{}, kind};
  if constexpr (OfOneFormula<N>) static_cast<void>(&known_formula<N>);  // registers the formula
  Ref<N> node(new N(made_of...));
  node->wants_grad = wanted;
  connect(*node, operands, loc);
  return {std::move(node), kind};
}

// record() for operands passed as Args.
template <class N, std::same_as<Arg>... Args>
Recorded<N> record(const Arg& first, const Args&... others) {
  check_operands(N::formula.op, first, others...);
  const Tensor* const operands[] = {&first.tensor, &others.tensor...};
  return record<N>(operands, first.loc);
}

// record() for a product of a and b. A is saved only if b requires a gradient; B only if a does.
template <class N>
Recorded<N> record_product(const Arg& a, const Arg& b) {
  auto node = record<N>(a, b);
  if (node && node->b) node->A = a.tensor;
  if (node && node->a) node->B = b.tensor;
  return node;
}

// The display-only node of an op without a gradient: a step function (gt), or indices (argmax).
template <const Formula& of, size_t operands>
struct StepNode final : Node {
  static constexpr const Formula& formula = of;
  explicit StepNode(Attributes given) : Node(of), with(std::move(given)) {
    wants_grad = false;
    if (operands == 2) b.emplace(this);
  }
  void backward(Tensor) override {}
  Attributes attributes() const override { return with; }
  const Attributes with;
  Input a{this};
  std::optional<Input> b;
};

// Null unless an observer wants it.
template <const Formula& of, std::same_as<Arg>... Args>
Ref<Node> record_step(Attributes with, const Arg& first, const Args&... others) {
  check_operands(of.op, first, others...);
  using N = StepNode<of, 1 + sizeof...(others)>;
  static_cast<void>(&known_formula<N>);
  if (!observers() || !wants_node()) return {};
  const Tensor* const operands[] = {&first.tensor, &others.tensor...};
  Ref<Node> node(new N(std::move(with)));
  connect(*node, operands, first.loc);
  return node;
}

// A mask or indices as an op's input, through which no gradient goes.
inline Arg without_grad(const Arg& x) { return x.tensor.requires_grad() ? Arg(x.tensor.off_tape(), x.loc) : x; }

// A display-only node without inputs; null if recording is off.
template <class N>
Ref<N> record_constant(Loc loc) {
  if (!grad_enabled() && !shows_ops()) return {};
  static_cast<void>(&known_formula<N>);
  Ref<N> node(new N);
  set_lines(*node, loc);
  return node;
}

// Makes y the node's output, if there is a node.
template <class N>
Tensor on_tape(Tensor y, Ref<N> node) {
  if (!node) return y;
  if (const Observers watching = watchers(*node)) tell(watching, &Observer::op_ends, *node, y);
  y.set_node(std::move(node));
  return y;
}
template <class N>
Tensor on_tape(Tensor y, Recorded<N> node) {
  y.set_kind(node.kind);
  return on_tape(std::move(y), static_cast<Ref<N>&&>(node));
}

// For an op that overwrites x with a result of `shape` and `kind`. ShapeError: x's shape differs.
// ValueError: x has whole numbers, and the result would not. TapeError, if recorded: x is a leaf
// that requires a gradient, or x shares data with a tensor that is not detached (a view), whose
// history would become wrong.
void check_in_place(const char* op, const Tensor& x, const Shape& shape, bool recorded, Kind kind = Kind::integer);
// x becomes x op b, of `kind` and b's kind.
void check_in_place(const char* op, const Arg& x, const Arg& b, Kind kind = Kind::integer);

// Whether x, which an op without a gradient has overwritten, keeps the history that it has, or none.
bool keeps_history(const Tensor& x, const Node& node);
template <class N>
void drop_unless_needed(const Tensor& x, N& node) {
  if (node && keeps_history(x, *node)) const N dropped = std::move(node);
}

// x after an op has overwritten it: a new version, with `node` as its history. retain_grad() moves
// to the new version; hooks stay on the old version.
Tensor written_in_place(const Tensor& x, auto node) {
  drop_unless_needed(x, node);
  x.increment_version();
  if (node && x.node()) node->retains_grad = std::exchange(x.node()->retains_grad, false);
  return on_tape(x, std::move(node));
}

}
