#include "core/tape/record.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace stepgrad {

void set_lines(Node& node, Loc loc) {
  node.loc = call_lines.op.file ? call_lines.op : loc;
  node.caller = call_lines.module;
  if (const Node* op = modes.gradient_of) node.gradient_of = {&op->formula, op->number};
}

void connect(Node& node, Operands operands, Loc loc) {
  set_lines(node, loc);
  Input* input = node.inputs;
  for (const Tensor* operand : operands) {
    input->connect(*operand);
    input = input->next;
  }
  if (const Observers watching = observers()) tell(watching, &Observer::op_begins, node, operands);
}

bool wants_grad(Operands operands) {
  if (!grad_enabled()) return false;
  for (const Tensor* operand : operands) {
    if (operand->requires_grad()) return true;
  }
  return false;
}

bool wants_node(Operands operands) {
  if (!grad_enabled()) return false;
  return observing::every_op ||
         (observing::steps && std::any_of(operands.begin(), operands.end(), [](const Tensor* x) {
            return x->node() && !x->node()->done && !x->node()->is_past();
          }));
}

Kind kind_of(Operands operands) {
  Kind kind = Kind::integer;
  for (const Tensor* operand : operands) kind = promoted(kind, operand->kind());
  return kind;
}

void check_in_place(const char* op, const Tensor& x, const Shape& shape, bool recorded) {
  check<ShapeError>(x.shape() == shape, op, ": the result of shape ", shape,
                    " does not fit in place into ", x.shape());
  if (!grad_enabled() || !(recorded || x.requires_grad())) return;
  check<TapeError>(!(x.requires_grad() && x.is_leaf()), op, ": ", x.shape(),
                   " is a leaf that requires a gradient and may be changed in place only under "
                   "NoGrad");
  check<TapeError>(!x.shares_history(), op, ": ", x.shape(),
                   " shares its data with another tensor, whose history would be wrong: clone() it "
                   "first");
}

}  // namespace stepgrad
