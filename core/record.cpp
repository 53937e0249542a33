#include "core/record.hpp"

#include "core/check.hpp"

namespace stepgrad {

void connect(Node& node, std::initializer_list<const Arg*> args) {
  node.caller = ModuleCall::outermost();
  node.loc = (*args.begin())->loc;
  Input* input = node.inputs;
  for (const Arg* arg : args) {
    input->connect(arg->tensor);
    input = input->next;
  }
  if (watching()) note_inputs(node, args);
}

bool wants_grad(std::initializer_list<const Arg*> args) {
  if (!grad_enabled()) return false;
  for (const Arg* arg : args) {
    if (arg->tensor.requires_grad()) return true;
  }
  return false;
}

void check_in_place(const char* op, const Tensor& x, const Shape& shape, bool recorded) {
  check<ShapeError>(x.shape() == shape, op, ": the result of shape ", shape,
                    " does not fit in place into ", x.shape());
  if (!grad_enabled() || !(recorded || x.requires_grad())) return;
  check<TapeError>(!(x.requires_grad() && x.is_leaf()), op, ": ", x.shape(),
                   " is a leaf that requires a gradient and may be changed in place only under "
                   "NoGrad");
  const int sharing = std::atomic_ref(x.storage()->on_tape).load(std::memory_order_relaxed);
  const int others = sharing - (x.node() != nullptr);
  check<TapeError>(others == 0, op, ": ", x.shape(),
                   " shares its data with another tensor on the tape, whose history would be "
                   "wrong: clone() it first");
}

}  // namespace stepgrad
