#include "core/tape/tape.hpp"

#include <algorithm>
#include <set>

namespace stepgrad {

Tape the_tape;

int64_t live_nodes() {
  const std::lock_guard lock(the_tape.lock);
  return the_tape.nodes;
}

// A node is always newer than its inputs' nodes, so one walk down the tape from the newest output's
// node finds all ops without recursion or sorting. For an op, consumers > 0 means that a newer op
// uses it. For a leaf, consumers counts the edges that still add to its gradient: the leaf comes
// right after the op with the last one.
std::vector<Node*> reachable(std::span<const Tensor> outputs) {
  std::vector<Node*> ops, found;
  const std::lock_guard lock(the_tape.lock);
  ops.reserve(the_tape.ops), found.reserve(the_tape.nodes);  // nothing throws from here on
  Node* newest = nullptr;
  int64_t to_come = 0;  // ops that are found and not yet met
  for (const Tensor& y : outputs) {
    if (!y.requires_grad() || y.node()->pass.consumers++ > 0 || y.is_leaf()) continue;
    ++to_come;
    if (!newest || newest->number < y.node()->number) newest = y.node();
  }
  for (Node* node = newest; to_come > 0; node = node->older) {
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
  for (const Tensor& y : outputs)
    if (y.requires_grad() && y.is_leaf() && --y.node()->pass.consumers == 0) found.push_back(y.node());
  return found;
}

std::vector<const Node*> recorded(const Tensor& output) {
  std::vector<const Node*> ops;
  std::set<const Node*> found;
  const auto find = [&](const Node* node) {
    if (!node->is_leaf() && found.insert(node).second) ops.push_back(node);
  };
  for (const Node* node : reachable(output)) find(node);
  for (size_t i = 0; i < ops.size(); ++i) {
    for (const Input* in = ops[i]->inputs; in; in = in->next)
      if (in->node) find(in->node.get());
  }
  std::sort(ops.begin(), ops.end(), [](auto* a, auto* b) { return a->number < b->number; });
  return ops;
}

}
