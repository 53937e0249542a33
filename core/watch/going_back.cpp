#include "core/watch/going_back.hpp"

#include <algorithm>
#include <utility>

#include "core/tape/accumulate.hpp"
#include "core/watch/ledger.hpp"
#include "core/watch/order.hpp"

// A debugger sets a breakpoint here.
extern "C" [[gnu::noinline]] void stepgrad_awaited() { __asm__ volatile(""); }

namespace stepgrad {

int gradients_to_undo = 0;
Awaited awaited;

namespace {

bool takes_in(const Node& node, const Node* input) {
  const Input* in = node.inputs;
  while (in && in->node.get() != input) in = in->next;
  return in;
}

// Sums the contributions again in the same order: bitwise equal.
void add_up(Node& node) {
  node.pass.arrived = {};
  for (const Contribution& by : node.ledger->contributions) accumulate(node.pass.arrived, by.gradient);
}

void restore(Node& leaf, const Tensor& earlier) noexcept {
  if (!earlier.defined())
    leaf.grad = {};
  else if (leaf.grad.defined())  // in place: the caller may hold it
    std::copy_n(earlier.data(), earlier.numel(), leaf.grad.data());
}

// Restores the gradients that the node, and passes inside its backward(), have changed.
void restore_gradients(Node& node) noexcept {
  node.ledger->hooked = {};
  node.ledger->saved_again = 0;
  restore(node, node.ledger->earlier);
  auto& inside = node.ledger->leaves_inside;
  for (; !inside.empty(); inside.pop_back()) restore(*inside.back().first, inside.back().second);
}

struct GoingBack final : Observer {
  constexpr GoingBack() : Observer(place::going_back) {}
  void between_gradients(Pass& pass) override {
    if (gradients_to_undo > 0) go_back(pass, std::exchange(gradients_to_undo, 0));
  }
  void gradient_begins(Node& node, const Tensor&, bool) override {
    if (awaited.times > 0 && (!awaited.input || takes_in(node, awaited.input)))
      if (--awaited.times == 0) stepgrad_awaited();
  }
};

constinit GoingBack going_back;

}

void observe_going_back(bool on) {
  going_back.observe(on);
  awaited.observed = on;
}

bool undo(Node& node) {
  if (!node.ledger || node.ledger->contributions.empty()) return false;
  take_back(node);
  for (const Input* in = node.inputs; in; in = in->next)
    if (*in && in->node->ledger) add_up(*in->node);
  add_up(node);
  return true;
}

void take_back(Node& node) noexcept {
  for (const Input* in = node.inputs; in; in = in->next) {
    if (!*in || !in->node->ledger) continue;
    auto& contributions = in->node->ledger->contributions;
    while (!contributions.empty() && contributions.back().number == node.number) contributions.pop_back();
  }
  if (node.ledger) restore_gradients(node);
}

void take_back(const Pass& pass) noexcept {
  for (size_t i = pass.nodes().size(); i-- > 0;) {
    Node& node = *pass.nodes()[i];
    node.pass.visited = false;
    if (!node.ledger) continue;
    node.ledger->contributions.clear();
    restore_gradients(node);
  }
}

Node* go_back(Pass& pass, int gradients) {
  Node* undone = nullptr;
  for (size_t i = pass.begun(); i-- > 0 && gradients > 0;) {
    Node& node = *pass.nodes()[i];
    if (!node.pass.visited) continue;
    node.pass.visited = false;
    if (!undo(node)) continue;
    --gradients;
    pass.revisit(i);
    undone = &node;
  }
  return undone;
}

}
