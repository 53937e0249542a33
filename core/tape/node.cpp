#include "core/tape/node.hpp"

#include <algorithm>
#include <atomic>

#include "core/tape/tape.hpp"

namespace stepgrad {
namespace {

template <class Part>
void append(Part*& first, Part* part) {
  Part** end = &first;
  while (*end) end = &(*end)->next;
  *end = part;
}

}

Node::Node(const Formula& formula) : formula(formula) {
  const std::lock_guard lock(the_tape.lock);
  if (!is_leaf()) {
    if (the_tape.ops++ == 0) the_tape.numbered = the_tape.at_last_pass = 0;
    number = ++the_tape.numbered;
  }
  ++the_tape.nodes;
  older = the_tape.newest;
  (older ? older->newer : the_tape.oldest) = this;
  the_tape.newest = this;
}

Node::~Node() {
  {
    const std::lock_guard lock(the_tape.lock);
    (older ? older->newer : the_tape.oldest) = newer;
    (newer ? newer->older : the_tape.newest) = older;
    --the_tape.nodes;
    the_tape.ops -= !is_leaf();
  }
  const auto dropped = std::move(hooks);  // as they go, they may call remove_hook()
}

// Deleting a node may release its inputs' nodes, and so on for ten million ops. They are deleted
// from a list, since recursion would overflow the stack.
void destroy(Node* node) {
  thread_local Node* doomed = nullptr;
  thread_local bool deleting = false;
  node->next_doomed = doomed;
  doomed = node;
  if (deleting) return;
  deleting = true;
  while (doomed) delete std::exchange(doomed, doomed->next_doomed);
  deleting = false;
}

bool Node::is_leaf() const { return &formula == &AccumulateGrad::formula; }

std::string Node::gradient_name() const {
  if (is_leaf()) return "AccumulateGrad";
  std::string name;
  for (const char* c = op(); *c; ++c) {
    if (*c != '_') name += c == op() || c[-1] == '_' ? char(std::toupper(*c)) : *c;
  }
  return name + "Backward";
}

int Node::add_hook(std::function<Tensor(const Tensor&)> call) {
  static std::atomic<int> registered = 0;  // numbers are never reused
  if (!hooks) hooks = std::make_unique<std::vector<Hook>>();
  hooks->push_back({registered++, std::move(call)});
  return hooks->back().number;
}

void Node::remove_hook(int hook_number) const {
  if (!hooks) return;
  const auto hook =
      std::find_if(hooks->begin(), hooks->end(), [=](const Hook& one) { return one.number == hook_number; });
  if (hook == hooks->end()) return;
  const auto dropped = std::move(hook->call);  // goes last, as it may call remove_hook()
  hooks->erase(hook);
}

bool Node::is_past() const { return !wants_grad && (inputs ? !lasting && number <= the_tape.at_last_pass : is_leaf()); }

Tensor Node::recompute(Inputs x) const { return formula.recompute ? formula.recompute(x, attributes()) : Tensor(); }

Tensor Node::take(Saved& saved) const { return pass.keeps_saved ? saved : std::move(static_cast<Tensor&>(saved)); }

Input::Input(Node* owner) { append(owner->inputs, this); }

void Input::connect(const Tensor& tensor) {
  if (const Node* of = tensor.node(); !of || !of->is_past()) node = Ref<Node>(tensor.node());
  shape = tensor.shape();
  name = tensor.c_name();
}

Saved::Saved(Node* owner, const char* letter, const Input* input) : letter(letter), input(input) {
  append(owner->saved, this);
}

Saved& Saved::operator=(const Tensor& tensor) {
  Tensor::operator=(tensor.off_tape());
  version = storage()->version();
  return *this;
}

Tensor Input::over(const Tensor& data) const { return data.detach_to(node); }

}
