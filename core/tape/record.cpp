#include "core/tape/record.hpp"

#include "core/check.hpp"
#include "core/tape/tape.hpp"

namespace stepgrad {

void set_lines(Node& node, Loc loc) {
  node.loc = call_lines.op.file ? call_lines.op : loc;
  node.caller = call_lines.module;
  if (const Node* op = modes.gradient_of) node.gradient_of = {&op->formula, op->number};
}

void connect(Node& node, Operands operands, Loc loc) {
  set_lines(node, loc);
  Input* input = node.inputs;
  node.under_no_grad = !grad_enabled();
  node.lasting = !node.wants_grad;
  for (const Tensor* operand : operands) {
    check<TapeError>(
        input, node.op(), ": its struct has fewer Inputs than the ", operands.size(), " operands it is recorded with");
    input->connect(*operand);
    if (const Node* of = operand->node()) {
      node.lasting = node.lasting && of->lasting && of->number > the_tape.at_last_pass;
      if (!input->node && !of->is_leaf() && (grad_enabled() || of->under_no_grad))
        tell_read(*operand, "an op before an earlier backward pass", of->loc);
    }
    input = input->next;
  }
  if (const Observers watching = watchers(node)) tell(watching, &Observer::op_begins, node, operands);
}

bool wants_grad(Operands operands) {
  if (!grad_enabled()) return false;
  for (const Tensor* operand : operands) {
    if (operand->requires_grad()) return true;
  }
  return false;
}

bool wants_node() { return shows_ops() || (grad_enabled() && observing::every_op); }

Kind kind_of(Operands operands) {
  Kind kind = Kind::integer;
  for (const Tensor* operand : operands) kind = promoted(kind, operand->kind());
  return kind;
}

void check_in_place(const char* op, const Arg& x, const Arg& b, Kind kind) {
  const Shape shape = broadcast(op, x, b);
  check_in_place(op, x.tensor, shape, b.tensor.requires_grad(), promoted(kind, b.tensor.kind()));
}

void check_in_place(const char* op, const Tensor& x, const Shape& shape, bool recorded, Kind kind) {
  check<ShapeError>(x.shape() == shape, op, ": the result of shape ", shape, " does not fit in place into ", x.shape());
  check<ValueError>(kind == Kind::integer || x.kind() == Kind::floating, op, ": ", x.shape(),
      " has whole numbers, and would get others: begin with x * 1.");
  if (!grad_enabled() || !(recorded || x.requires_grad())) return;
  check<TapeError>(!(x.requires_grad() && x.is_leaf()), op, ": ", x.shape(),
      " is a leaf that requires a gradient and may be changed in place only under "
      "NoGrad (in Python: torch.no_grad())");
  check<TapeError>(!x.shares_history(), op, ": ", x.shape(),
      " shares its data with another tensor, whose history would be wrong: clone() it "
      "first");
}

// No op on the tape computes x's present numbers, so a page is told that they were read. The same
// holds for the tensors that share the numbers of a detached x with a history.
bool keeps_history(const Tensor& x, const Node& node) {
  const bool has_history = x.node() && !x.node()->is_leaf();
  const bool constant = !node.wants_grad && (has_history ? x.requires_grad() : grad_enabled() || x.node());
  if (!constant && !(has_history && x.is_detached())) return false;  // running averages
  const Tensor y = x.with_shape(x.shape());
  y.set_node(Ref<Node>(const_cast<Node*>(&node)));
  tell_read(y, "a write in place", node.loc, x.storage().get());
  return constant;
}

}
