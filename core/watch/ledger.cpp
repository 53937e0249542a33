#include "core/watch/ledger.hpp"

#include "core/tape/pass.hpp"
#include "core/watch/going_back.hpp"
#include "core/watch/order.hpp"
#include "core/watch/readings.hpp"
#include "core/watch/refusal.hpp"

namespace stepgrad {

namespace {

using Clock = std::chrono::steady_clock;

// Ledger requests: by set_ledger(), by NaN detection, by paranoid mode.
std::atomic<bool> asked_for, keeps_ranges, paranoid;

bool keeps_values() { return asked_for || paranoid; }

Ledger& ledger_of(Node& node) {
  if (!node.ledger) node.ledger = std::make_shared<Ledger>();
  return *node.ledger;
}

double seconds_since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

// Adds the storages of leaf and constant inputs: the tape does not keep their memory alive.
void count_operands(const Node& node, std::set<const Storage*>& counted) {
  auto operand = node.ledger->operands.begin();
  for (const Input* in = node.inputs; in && operand != node.ledger->operands.end(); in = in->next, ++operand)
    if (operand->defined() && (!in->node || in->node->is_leaf())) counted.insert(operand->storage().get());
}

// Adds to outer's ledger a pass that ran inside outer's backward (a checkpoint).
void note_inner_pass(Ledger& outer, const Pass& pass, int64_t bytes) {
  outer.saved_again += bytes;
  for (Node* node : pass.nodes())
    if (node->is_leaf()) outer.leaves_inside.emplace_back(node, node->ledger->earlier);
}

struct LedgerKeeper final : Observer {
  constexpr LedgerKeeper() : Observer(place::ledger) {}
  bool wants_steps() const override { return asked_for; }
  bool wants_saved_kept() const override { return true; }

  void op_begins(Node& node, Operands operands) override {
    Ledger& ledger = ledger_of(node);
    note_op(ledger);
    for (const Tensor* operand : operands) {
      ledger.inputs.emplace_back(*operand);
      if (!keeps_values()) continue;
      ledger.operands.push_back(operand->is_leaf() ? operand->with_shape(operand->shape()) : Tensor());
      ledger.versions.push_back(operand->storage()->version());
    }
    ledger.began = Clock::now();
  }

  void op_ends(Node& node, const Tensor& y) override {
    Ledger& ledger = ledger_of(node);
    if (ledger.began != Clock::time_point()) ledger.forward_seconds = seconds_since(ledger.began);
    note_output(ledger, y);
  }

  void pass_begins(Pass& pass) override {
    note_pass();
    forget_refusal();
    if (keeps_values())
      for (const Tensor& root : pass.roots()) note_parts(root);
    Storage::in_pass = true;
    for (Node* node : pass.nodes()) {
      Ledger& ledger = ledger_of(*node);
      ledger.contributions.clear();
      ledger.hooked = {};
      ledger.saved_again = 0;
      ledger.leaves_inside.clear();
      ledger.earlier = node->grad.defined() ? node->grad.copied() : Tensor();
    }
    for (const Tensor& root : pass.roots())
      if (const Tensor& first = root.node()->pass.arrived; first.defined())
        root.node()->ledger->contributions.assign(
            1, {"backward", 0, {}, {}, first.shape(), Range(first), first.copied(), nullptr});
    if (!pass.outer()) return;
    std::set<const Storage*> counted;
    for (const Node* node : pass.nodes()) count_operands(*node, counted);
    int64_t bytes = 0;
    for (const Node* node : pass.nodes()) bytes += saved_bytes(*node, counted);
    for (const Pass* outer = pass.outer(); outer; outer = outer->outer())
      if (outer->visiting()) note_inner_pass(ledger_of(*outer->visiting()), pass, bytes);
  }

  void gradient_begins(Node& node, const Tensor& dY, bool by_hook) override {
    Ledger& ledger = ledger_of(node);
    ledger.arrived = Range(dY);
    if (by_hook) ledger.hooked = dY.copied();
    ledger.began = Clock::now();
  }

  void gradient_adds(const Input& input, const Shape& before, const Tensor& g) override {
    const Node& op = *the_tape.visiting;
    ledger_of(*input.node)
        .contributions.push_back({op.op(), op.number, op.loc, op.caller, before, Range(g), g.copied(), &input});
  }

  void numbers_read(const Tensor& x, const char* how, Loc loc, Storage* into) override {
    note_reading(x, how, loc, into);
  }

  void pass_ends(Pass& pass) noexcept override { Storage::in_pass = pass.outer(); }

  void gradient_ends(Node& node) override { node.ledger->backward_seconds = seconds_since(node.ledger->began); }
};

constinit LedgerKeeper keeper;

void observe() {
  const bool kept = keeps_values() || keeps_ranges;
  keeper.observe(kept);
  if (!kept) Storage::in_pass = false;  // as pass_ends(), if a hook stops it
  observe_going_back(kept);
}

}

void set_ledger(bool keep) {
  asked_for = keep;
  observe_refusals(keep);
  observe();
}

void set_ledger_of_ranges(bool keep) {
  keeps_ranges = keep;
  observe();
}

void set_ledger_for_paranoid(bool keep) {
  paranoid = keep;
  observe();
}

bool ledger_kept() { return asked_for; }

void note_output(Ledger& ledger, const Tensor& y) {
  if (keeps_values()) ledger.value = y.copied();
  ledger.output = Range(y);
}

int64_t saved_bytes(const Node& node, std::set<const Storage*>& counted) {
  int64_t bytes = 0;
  for (const Saved* saved = node.saved; saved; saved = saved->next)
    if (saved->defined() && counted.insert(saved->storage().get()).second)
      bytes += saved->storage()->size * int64_t(sizeof(Scalar));
  return bytes;
}

}
