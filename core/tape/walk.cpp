#include "core/tape/walk.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "core/debug/rerun.hpp"
#include "core/watch/ledger.hpp"
#include "core/watch/paranoid.hpp"

namespace stepgrad {
namespace {

std::recursive_mutex walking;  // recursive: a gradient may run a backward pass of its own

void check_not_done(const Node& node) {
  check<TapeError>(!node.done, "backward: ", node.op(), " at ", node.loc,
                   " has been walked and what it saved is freed; to walk a tape twice, pass "
                   "retain_graph = true the first time");
}

void check_versions(const Node& node) {
  for (const Saved* saved = node.saved; saved; saved = saved->next) {
    if (!saved->defined()) continue;
    const int now = saved->storage()->version;
    if (now == saved->version) continue;                         // the rest is for the message
    const bool output = std::string_view(saved->letter) == "Y";  // named after it was saved
    const char* name = output ? node.name : saved->c_name();
    const char* quote = *name ? "'" : "";
    check<TapeError>(false, "backward: ", node.op(), " at ", node.loc, " saved ", saved->letter,
                     ' ', quote, name, quote, *quote ? " " : "", saved->shape(), " at version ",
                     saved->version, ", and an in-place op has changed it to version ", now);
  }
}

void check_ready(const Node& node) {
  check_not_done(node);
  check_versions(node);
}

Tensor first_gradient(const Tensor& root, Tensor gradient) {
  if (!gradient.defined()) {
    check<ShapeError>(root.numel() == 1, "backward: ", root.shape(),
                      " is not a single number, so a gradient of that shape must be given");
    return Tensor::ones(root.shape());
  }
  check<ShapeError>(gradient.shape() == root.shape(), "backward: the gradient is ",
                    gradient.shape(), " and the tensor ", root.shape());
  return off_tape(std::move(gradient));
}

}  // namespace

Walk::Walk(const Tensor& root, bool retain_graph)
    : one_at_a_time_(walking),
      retain_graph_(retain_graph),
      ledger_on_(ledger_on()),
      outer_(the_tape.visiting) {
  check<TapeError>(root.requires_grad(),
                   "backward: the tensor does not require a gradient, so nothing was recorded");
  root_ = Ref<Node>(root.node());
  order_ = reachable(root);
  for (const Node* node : order_) check_ready(*node);
}

// The other constructor is done: if memory fails in here, the destructor puts things in order.
Walk::Walk(const Tensor& root, Tensor gradient, bool retain_graph) : Walk(root, retain_graph) {
  accumulate(root_->pass.arrived, first_gradient(root, std::move(gradient)));
  ++the_tape.passes;
  if (rerun) rerun->at_pass(root, root_->pass.arrived);
  for (Node* node : order_) node->pass.walked = false;
  if (ledger_on_) ledger_pass(order_);
}

Walk::~Walk() {
  const size_t left = next_ - (visiting_ != nullptr);
  for (size_t i = left; i < order_.size(); ++i) order_[i]->pass.arrived = {};
  if (ledger_on_ && outer_) ledger_inner_pass(*outer_, order_);
  if (ledger_on_) std::for_each_n(order_.begin(), left, [this](Node* node) { release(*node); });
  the_tape.visit(outer_);
}

Node* Walk::next() {
  if (visiting_) finish(*visiting_);
  visiting_ = nullptr;
  if (the_tape.go_back > 0 && back(std::exchange(the_tape.go_back, 0))) return visiting_;
  while (!visiting_ && next_ < order_.size()) {
    Node* node = order_[next_];
    if (node->pass.arrived.defined()) {
      check_ready(*node);  // again: a hook may have walked it or written over what it saved
      visiting_ = node;
    } else {
      finish(*node);
    }
    ++next_;
  }
  if (visiting_) visiting_->pass.retains = retain_graph_ || ledger_on_;
  the_tape.visit(visiting_);
  return visiting_;
}

Node* Walk::back(int gradients) {
  Node* undone = nullptr;
  for (size_t i = next_; i > 0 && gradients > 0; --i) {
    Node& node = *order_[i - 1];
    if (!node.pass.walked) continue;
    node.pass.walked = false;
    if (!undo(node)) continue;
    --gradients;
    next_ = i;
    undone = visiting_ = &node;
  }
  if (undone) the_tape.visit(undone);
  return undone;
}

void Walk::pause() {
  no_grad_.reset();
  one_at_a_time_.unlock();
}

void Walk::resume() {
  one_at_a_time_.lock();
  no_grad_.emplace();
}

Tensor Walk::gradient() {
  Tensor dY = std::move(visiting_->pass.arrived);
  bool by_hook = false;
  if (visiting_->hooks) {
    for (const Node::Hook& hook : std::vector(*visiting_->hooks)) {
      const Tensor changed = hook.call(dY);
      if (!changed.defined()) continue;
      check<ShapeError>(changed.shape() == visiting_->shape, "hook of ", visiting_->op(),
                        ": returned ", changed.shape(), " for a gradient of ", visiting_->shape);
      dY = off_tape(changed);
      by_hook = true;
    }
  }
  if (ledger_on()) ledger_gradient(*visiting_, dY, by_hook);
  if (paranoid && ledger_on_) paranoid_arrived(*visiting_, dY);
  if (visiting_->retains_grad) accumulate(visiting_->grad, dY);
  if (!dY.owned_alone()) dY = dY.copied();
  return dY;
}

// Memory falls as the walk goes, unless somebody may want to go back.
void Walk::finish(Node& node) {
  node.pass.walked = true;
  if (paranoid && ledger_on_) paranoid_left(node);
  if (!ledger_on_) release(node);
}

void Walk::release(Node& node) {
  if (retain_graph_ || node.is_leaf()) return;
  node.done = true;
  node.hooks.reset();
  for (Saved* saved = node.saved; saved; saved = saved->next) static_cast<Tensor&>(*saved) = {};
}

}  // namespace stepgrad
