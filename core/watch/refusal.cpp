#include "core/watch/refusal.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "core/memory/locks.hpp"
#include "core/tape/modes.hpp"
#include "core/tape/node.hpp"
#include "core/text_stream.hpp"
#include "core/watch/ledger.hpp"

namespace stepgrad {
namespace {

Refusal& latest() {
  static Refusal& latest = *new Refusal;  // never destroyed: its tensors may outlive the pool
  return latest;
}

bool same(Loc a, Loc b) { return a.file == b.file && a.line == b.line; }

// Takes x's inputs, which are still operands at the line of matmul(relu(x), w), out of these.
void drop_inputs(const Tensor& x, Loc line, Tensors& operands) {
  if (!x.node() || !x.node()->ledger || !same(x.node()->loc, line)) return;
  auto taken_at = x.node()->ledger->operands.begin();
  const auto end = x.node()->ledger->operands.end();
  for (const Input* in = x.node()->inputs; in && taken_at != end; in = in->next) {
    const Tensor& taken = *taken_at++;  // undefined: an op's output
    const auto is = [&](const Tensor& one) {
      return taken.defined() ? one.data() == taken.data() : one.node() == in->node.get();
    };
    const auto found = std::find_if(operands.begin(), operands.end(), is);
    if (found != operands.end()) operands.erase(found);
  }
}

// The operands passed at the line that the error names, in the order of their shapes in `said`, and
// equal ones as given.
void note(const std::string& said) {
  if (!modes.shows) return;
  Refusal found{said, failing_line(), {}};
  std::vector<const Arg*> args;
  for (const ListedOperand* one = latest_operand; one; one = one->older) {
    const Arg& arg = static_cast<const Arg&>(*one);
    if (arg.tensor.defined() && same(arg.loc, found.loc)) args.push_back(&arg);
  }
  std::reverse(args.begin(), args.end());
  const auto place = [&](const Arg* arg) { return std::pair(said.find(text_of(arg->tensor.shape())), arg->nth); };
  std::stable_sort(args.begin(), args.end(), [&](const Arg* a, const Arg* b) { return place(a) < place(b); });
  for (const Arg* arg : args) found.operands.push_back(arg->tensor);
  for (const Tensor& x : std::vector(found.operands)) drop_inputs(x, found.loc, found.operands);
  const std::lock_guard lock(locks::ledger);
  std::swap(latest(), found);
}

}

Refusal last_refusal() {
  const std::lock_guard lock(locks::ledger);
  return latest();
}

void forget_refusal() {
  Refusal found;
  const std::lock_guard lock(locks::ledger);
  std::swap(latest(), found);
}

void observe_refusals(bool on) {
  ListedOperand::on = on;
  on_error = on ? &note : nullptr;
  if (!on) forget_refusal();
}

}
