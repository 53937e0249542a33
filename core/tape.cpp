#include "core/tape.hpp"

#include "core/ledger.hpp"

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

// An input is always older than what was computed from it, so one way down the tape finds all of
// them. No recursion, no sort.
std::vector<Node*> reachable(const Tensor& output) {
  std::vector<Node*> found;
  if (!output.requires_grad()) return found;
  const std::lock_guard lock(the_tape.lock);
  found.reserve(the_tape.nodes);  // nothing throws from here on
  int64_t to_come = 1;
  output.node()->pass.reached = true;
  for (Node* node = output.node(); to_come > 0; node = node->older) {
    if (!node->pass.reached) continue;
    node->pass.reached = false;
    found.push_back(node);
    --to_come;
    for (Input* in = node->inputs; in; in = in->next) {
      if (!*in || in->node->pass.reached) continue;
      in->node->pass.reached = true;
      ++to_come;
    }
  }
  return found;
}

}  // namespace stepgrad
