#include "core/tape/tape.hpp"

#include "core/watch/ledger.hpp"

namespace stepgrad {

Node::Node(const Formula& formula) : formula(formula) {
  const std::lock_guard lock(the_tape.lock);
  if (!is_leaf()) {
    if (the_tape.ops++ == 0) the_tape.numbered = 0;
    number = ++the_tape.numbered;
  }
  ++the_tape.nodes;
  older = the_tape.newest;
  (older ? older->newer : the_tape.oldest) = this;
  the_tape.newest = this;
}

Node::~Node() {
  const std::lock_guard lock(the_tape.lock);
  (older ? older->newer : the_tape.oldest) = newer;
  (newer ? newer->older : the_tape.newest) = older;
  --the_tape.nodes;
  the_tape.ops -= !is_leaf();
}

// Deleting a node may orphan its inputs' nodes, and so on for ten million ops: they queue up here
// and are deleted one after the other, not one inside the other.
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

int64_t live_nodes() {
  const std::lock_guard lock(the_tape.lock);
  return the_tape.nodes;
}

// An input is always older than what was computed from it, so one way down the tape finds all ops.
// No recursion, no sort. A leaf, whenever it was made, then goes right behind the last op that adds
// to its gradient, which is complete there.
std::vector<Node*> reachable(const Tensor& output) {
  std::vector<Node*> ops, found;
  if (!output.requires_grad()) return found;
  const std::lock_guard lock(the_tape.lock);
  ops.reserve(the_tape.ops), found.reserve(the_tape.nodes);  // nothing throws from here on
  if (output.node()->is_leaf()) {
    found.push_back(output.node());
    return found;
  }
  int64_t to_come = output.node()->pass.consumers = 1;
  for (Node* node = output.node(); to_come > 0; node = node->older) {
    if (node->pass.consumers == 0 || node->is_leaf()) continue;
    node->pass.consumers = 0;
    ops.push_back(node);
    --to_come;
    for (Input* in = node->inputs; in; in = in->next) {
      if (*in && in->node->pass.consumers++ == 0) to_come += !in->node->is_leaf();
    }
  }
  for (Node* node : ops) {
    found.push_back(node);
    for (Input* in = node->inputs; in; in = in->next) {
      if (!*in || !in->node->is_leaf()) continue;
      if (--in->node->pass.consumers == 0) found.push_back(in->node.get());
    }
  }
  return found;
}

}  // namespace stepgrad
