#include "core/tape/pass.hpp"

#include <algorithm>
#include <new>

#include "core/check.hpp"
#include "core/tape/accumulate.hpp"
#include "core/tape/observer.hpp"

namespace stepgrad {
namespace {

PassLock passing;
Pass* innermost = nullptr;  // of the passes that run and are not paused

void check_not_done(const Node& node) {
  check<TapeError>(!node.done, "backward: ", node.op(), " at ", node.loc,
      " has run and what it saved is freed; to run backward twice, retain "
      "the graph the first time (retain_graph)");
}

[[noreturn, gnu::cold]] void fail_stale(const Node& node, const Saved& saved) {
  const bool output = std::string_view(saved.letter) == "Y";  // named after it was saved
  const char* name = output ? node.name : saved.c_name();
  const char* quote = *name ? "'" : "";
  fail<TapeError>("backward: ", node.op(), " at ", node.loc, " saved ", saved.letter, ' ', quote, name, quote,
      *quote ? " " : "", saved.shape(), " at version ", saved.version,
      ", and an in-place op has changed it to version ", saved.storage()->version());
}

void check_versions(const Node& node) {
  for (const Saved* saved = node.saved; saved; saved = saved->next)
    if (saved->defined() && saved->storage()->version() != saved->version) fail_stale(node, *saved);
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
  check<ShapeError>(gradient.shape() == root.shape(), "backward: the gradient is ", gradient.shape(),
      " and the tensor ", root.shape());
  return gradient;
}

// Each hook gets the result of the one before. Returns whether a hook has changed dY. Afterwards
// the node is checked again: a hook may have run backward, or written over a saved tensor.
[[gnu::noinline]] bool run_hooks(const Node& node, Tensor& dY, bool create_graph, Loc loc) {
  bool changed = false;
  const Scoped<bool> own(modes.in_hook, true);
  for (const Node::Hook& hook : std::vector(*node.hooks)) {  // a copy: a hook may remove itself
    const Tensor given = hook.call(dY);
    if (!given.defined()) continue;
    check_at<ShapeError>(loc, given.shape() == node.shape, "hook of ", node.op(), ": returned ", given.shape(),
        " for a gradient of ", node.shape);
    dY = create_graph ? given : without_history(given);
    changed = true;
  }
  if (!node.pass.ends) check_ready(node);
  return changed;
}

}

Pass::Pass(bool retain_graph, bool create_graph, Tensors roots)
    : one_at_a_time_(passing),
      records_(std::in_place, modes.grad, create_graph),
      shows_(std::in_place, modes.shows, create_graph),
      roots_(std::move(roots)),
      retain_graph_(retain_graph || create_graph),
      create_graph_(create_graph),
      outer_(innermost),
      visited_before_(the_tape.visiting) {
  for (const Tensor& root : roots_) {
    check<ValueError>(root.defined(), "backward: the tensor is undefined");
    check<TapeError>(
        root.requires_grad(), "backward: ", root.shape(), " does not require a gradient, so nothing was recorded");
  }
  order_ = reachable(roots_);
}

// The delegated constructor has finished, so the destructor runs if something throws in here.
Pass::Pass(Tensors roots, Tensors gradients, bool retain_graph, bool create_graph, CallLine loc,
    std::span<const Tensor> inputs)
    : Pass(retain_graph, create_graph, std::move(roots)) {
  loc_ = loc;
  if (outer_)
    for (Node* node : order_) outers_.emplace_back(node, std::exchange(node->pass, {}));
  for (const Tensor& x : inputs) asked_[x.node()] = {};
  if (!asked_.empty()) leave_out_others();
  for (const Node* node : order_) {
    if (node->pass.left_out || node->pass.ends) continue;
    check_ready(*node);
    check<TapeError>(!create_graph || node->has_second_gradient(), "backward: ", node->op(), " at ", node->loc,
        " cannot be differentiated twice; run it step by step instead");
  }
  for (size_t i = 0; i < roots_.size(); ++i) {
    Tensor first = first_gradient(roots_[i], std::move(gradients[i]));
    if (!create_graph) first = without_history(std::move(first));
    Node::InPass& at = roots_[i].node()->pass;
    if (at.left_out) continue;
    if (roots_.size() > 1)
      arrive(at.arrived, std::move(first));
    else
      at.arrived = std::move(first);
  }
  {
    const std::lock_guard lock(the_tape.lock);
    the_tape.at_last_pass = the_tape.numbered;
  }
  for (Node* node : order_) node->pass.visited = false;
  innermost = this;
  // If an observer throws in pass_begins, only those before it get pass_ends.
  for (Observers to_come = observers(); to_come; to_come &= to_come - 1) {
    Observer& observer = *observing::at[std::countr_zero(to_come)];
    observer.pass_begins(*this);
    saved_kept_ |= observer.wants_saved_kept();
    observing::pass = observers_ |= to_come & -to_come;
  }
}

Pass::Pass(const Tensor& root, Tensor gradient, bool retain_graph, bool create_graph, CallLine loc)
    : Pass(std::vector{root}, {std::move(gradient)}, retain_graph, create_graph, loc) {}

Pass::~Pass() {
  lent_.reset();
  const size_t left = next_ - (visiting_ != nullptr);  // the first one to visit again
  for (size_t i = left; i < order_.size(); ++i) order_[i]->pass.arrived = {};
  tell(observers_, &Observer::pass_ends, *this);
  if (saved_kept_) std::for_each_n(order_.begin(), left, [this](Node* node) { release(*node); });
  if (!asked_.empty())
    for (Node* node : order_) node->pass.left_out = node->pass.ends = false;
  for (auto& [node, pass] : outers_) node->pass = std::move(pass);
  leave();
  the_tape.visit(visited_before_);
}

// Oldest first: inputs come before what was computed from them.
void Pass::leave_out_others() {
  for (size_t i = order_.size(); i-- > 0;) {
    Node& node = *order_[i];
    bool leads = false;
    for (const Input* in = node.inputs; in; in = in->next) leads |= *in && !in->node->pass.left_out;
    node.pass.ends = !leads && asked_.count(&node);
    node.pass.left_out = !leads && !node.pass.ends;
  }
}

Node* Pass::next() {
  lent_.reset();
  if (visiting_) finish(*visiting_);
  visiting_ = nullptr;
  if (observers_) tell(observers_, &Observer::between_gradients, *this);
  while (!visiting_ && next_ < order_.size()) {
    Node* node = order_[next_];
    if (node->pass.arrived.defined()) {
      // again: an earlier node's hook may have run backward, or written
      if (!node->pass.ends) check_ready(*node);
      visiting_ = node;
    } else {
      finish(*node);
    }
    ++next_;
    if (!visiting_ || !node->pass.ends) continue;
    asked_[node] = gradient();
    lent_.reset();
    visiting_ = nullptr;
  }
  if (visiting_) visiting_->pass.keeps_saved = retain_graph_ || saved_kept_;
  the_tape.visit(visiting_);
  return visiting_;
}

Tensor Pass::gradient() {
  Node& node = *visiting_;
  Tensor dY = std::move(node.pass.arrived);
  if (node.hooks && !create_graph_ && !dY.owned_alone()) dY = dY.copied();
  const bool by_hook = node.hooks && run_hooks(node, dY, create_graph_, loc_);
  if (observers_ && !node.pass.ends) tell(observers_, &Observer::gradient_begins, node, dY, by_hook);
  if (node.retains_grad) accumulate(node.grad, dY);
  if (!node.pass.ends && asked_.count(&node)) asked_[&node] = create_graph_ ? dY : dY.copied();
  if (create_graph_)
    lent_.emplace(node);  // recorded ops overwrite no buffer that others hold
  else if (!dY.owned_alone() && !node.takes_shared_gradient())
    dY = dY.copied();
  return dY;
}

// By another constructor: if memory runs out here, the destructor still runs.
LentHistory::LentHistory(Node& node) : LentHistory(std::exchange(modes.gradient_of, &node)) {
  for (Saved* saved = node.saved; saved; saved = saved->next) {
    if (!saved->defined()) continue;
    const bool is_output = saved->letter == std::string_view("Y") && saved->shape() == node.shape;
    if (!saved->input && !is_output) continue;
    without_.emplace_back(saved, *saved);
    static_cast<Tensor&>(*saved) = saved->input ? saved->input->over(*saved) : saved->detach_to(Ref<Node>(&node));
  }
}

LentHistory::~LentHistory() {
  for (auto& [saved, tensor] : without_)
    if (saved->defined()) static_cast<Tensor&>(*saved) = std::move(tensor);
  modes.gradient_of = outer_;
}

void Pass::revisit(size_t i) {
  visiting_ = order_[i];
  next_ = i + 1;
  the_tape.visit(visiting_);
}

void Pass::leave() {
  innermost = outer_;
  observing::pass = outer_ ? outer_->observers_ : 0;
}

// Their tensors stay as they are: those threads may have been changing them.
void Pass::forget_those_of_other_threads() {
  if (passing.is_mine()) return;
  for (const Pass* pass = innermost; pass; pass = pass->outer_)
    for (Node* node : pass->order_) new (&node->pass) Node::InPass;
  innermost = nullptr;
  observing::pass = 0;
  the_tape.visit(nullptr);
  new (&passing) PassLock;
}

void Pass::pause() {
  leave();
  if (outer_) the_tape.visit(outer_->visiting_);
  records_.reset(), shows_.reset();
  one_at_a_time_.unlock();
}

void Pass::resume() {
  one_at_a_time_.lock();
  records_.emplace(modes.grad, create_graph_);
  shows_.emplace(modes.shows, create_graph_);
  outer_ = std::exchange(innermost, this);
  observing::pass = observers_;
  the_tape.visit(visiting_);  // another pass may have moved it
}

// Memory falls during the pass, unless an observer may want to go back.
void Pass::finish(Node& node) {
  node.pass.visited = true;
  if (observers_ && &node == visiting_) tell(observers_, &Observer::gradient_ends, node);
  if (!saved_kept_) release(node);
}

void Pass::release(Node& node) {
  if (retain_graph_ || node.is_leaf() || node.pass.left_out || node.pass.ends) return;
  node.done = true;
  node.hooks.reset();
  for (Saved* saved = node.saved; saved; saved = saved->next) static_cast<Tensor&>(*saved) = {};
}

}
