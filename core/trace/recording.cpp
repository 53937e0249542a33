#include "core/trace/recording.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "core/tape/accumulate.hpp"
#include "core/tape/modes.hpp"
#include "core/tape/tape.hpp"
#include "core/trace/sums.hpp"
#include "core/watch/readings.hpp"

namespace stepgrad {
namespace {

bool alike(const Tensor& a, const Tensor& b) {
  const auto equal = [](Scalar x, Scalar y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  return std::equal(a.data(), a.data() + a.numel(), b.data(), equal);
}

class RecordingBuilder {
 public:
  RecordingBuilder(const Tensor& loss, size_t max_ops) : loss_(loss) {
    std::vector<const Node*> nodes = recorded(loss);
    if (nodes.size() > max_ops) {
      recording_.left_out = int64_t(nodes.size() - max_ops);
      nodes.erase(nodes.begin(), nodes.end() - std::ptrdiff_t(max_ops));
    }
    for (const Node* node : nodes) add_op(*node);
    note_gradients();
    count_saved();
    add_steps();
  }
  Recording result() { return std::move(recording_); }

 private:
  void add_op(const Node& node) {
    Recording::Op op{&node, {}, -1};
    size_t i = 0;
    for (const Input* in = node.inputs; in; in = in->next, ++i) op.inputs.push_back(input(node, *in, i));
    Tensor made = node.ledger ? node.ledger->value : Tensor();
    if (&node == loss_.node()) made = loss_;
    const Tensor drawn = node.inputs ? Tensor() : made;
    op.output = int(recording_.values.size());
    const int at = int(recording_.ops.size());
    recording_.values.push_back({node.name, "op", node.shape, made, {}, at, node.wants_grad});
    note_reading(recording_.values.back(), drawn, 0);
    by_node_[&node] = op.output;
    op.cells = cells_of(node);
    op.flops = flops(op);
    recording_.ops.push_back(op);
  }

  // The index of an op's input in values. A constant has no node: it is found by its data pointer.
  int input(const Node& node, const Input& in, size_t i) {
    Tensor taken;
    int version = 0;
    if (node.ledger && i < node.ledger->operands.size())
      taken = node.ledger->operands[i], version = node.ledger->versions[i];
    const bool changed = taken.defined() && taken.storage()->version() != version;
    if (!taken.defined()) taken = saved_of(node, in);
    if (in.node) {
      const auto [place, fresh] = by_node_.try_emplace(in.node.get(), recording_.values.size());
      if (fresh) recording_.values.push_back(from_outside(in, taken));
      Recording::Value& value = recording_.values[place->second];
      if (!value.value.defined() && !value.changed) value.value = taken;
      if (changed && value.op < 0) value.changed = true, value.value = {};
      if (value.op < 0) note_reading(value, taken, version);
      return int(place->second);
    }
    if (taken.defined()) {
      const auto [place, fresh] =
          by_data_.try_emplace({taken.data(), in.shape.numel(), version}, recording_.values.size());
      if (!fresh) return int(place->second);
    }
    const Tensor kept = changed ? Tensor() : taken;
    recording_.values.push_back({in.name, "constant", in.shape, kept, {}, -1, false, changed});
    note_reading(recording_.values.back(), taken, version);
    return int(recording_.values.size()) - 1;
  }

  void note_reading(Recording::Value& value, const Tensor& x, int version) const {
    const Ledger* ledger = loss_.node()->ledger.get();
    if (x.defined() && ledger) value.read = read_before(*x.storage(), version, *ledger);
  }

  // If gradients were read, or an op takes them as numbers, the tape does not show what they were
  // computed from.
  void note_gradients() {
    const Ledger* ledger = loss_.node()->ledger.get();
    if (!ledger) return;
    note_parts(gradients_read_before(*ledger));
    for (const Recording::Op& op : recording_.ops)
      for (const int in : op.inputs) {
        const Recording::Value& taken = recording_.values[in];
        if (taken.op < 0 && taken.value.defined() && taken.value.storage()->of_gradients)
          note_parts({"backward(), whose gradients are used here,", op.node->loc, 0, ledger->since});
      }
    Reading step{"backward()", {}, 0, ledger->since};
    step.earlier = true;
    for (const Recording::Value& x : recording_.values)
      if (x.value.defined() && stepped_before(*x.value.storage(), *ledger)) return note_parts(step);
  }
  void note_parts(const Reading& read) {
    for (Recording::Value& value : recording_.values)
      if (read.how && (!value.read.how || (value.read.earlier && !read.earlier)) && value.value.defined() &&
          had_part_before(*value.value.storage(), read.at))
        value.read = read;
  }

  // A leaf, or the output of an op that was left out.
  static Recording::Value from_outside(const Input& in, const Tensor& taken) {
    const Node& node = *in.node;
    if (!node.is_leaf()) {
      const std::string name = *in.name ? in.name : "#" + std::to_string(node.number);
      return {name, "constant", in.shape, taken, {}, -1, node.wants_grad};
    }
    const Tensor& before = node.ledger && pass_of(node) ? node.ledger->earlier : node.grad;
    return {node.name, "leaf", in.shape, taken, before, -1, node.wants_grad};
  }

  static bool pass_of(const Node& node) { return !node.ledger->contributions.empty(); }

  static Tensor saved_of(const Node& node, const Input& in) {
    for (const Saved* saved = node.saved; saved; saved = saved->next)
      if (saved->input == &in && unchanged(*saved)) return *saved;
    return {};
  }

  // 2mnk for a matmul; 0 for ops that only move data; else one per element of the larger side.
  static int64_t flops(const Recording::Op& op) {
    const Formula& formula = op.node->formula;
    if (formula.traits.moves) return 0;
    int64_t most = op.node->shape.numel(), terms = 1;
    std::map<char, int64_t> sizes;
    size_t i = 0;
    for (const Input* in = op.node->inputs; in; in = in->next, ++i) {
      most = std::max(most, in->shape.numel());
      for (int d = 0; d < in->shape.dims(); ++d)
        if (is_sum(formula)) sizes[op.cells[i][size_t(d)]] = in->shape[d];
    }
    for (const auto& [letter, size] : sizes) terms *= size;
    return is_sum(formula) ? 2 * terms : most;
  }

  void count_saved() {
    std::set<const Storage*> counted;
    for (const Recording::Value& value : recording_.values)
      if (value.op < 0 && value.value.defined()) counted.insert(value.value.storage().get());
    for (Recording::Op& op : recording_.ops) {
      op.saved_bytes = saved_bytes(*op.node, counted);
    }
  }

  // If the last pass ran without a ledger, the ledger's entries are from an earlier pass.
  void add_steps() {
    const Node& root = *loss_.node();
    const std::vector<Node*> nodes = reachable(loss_);
    const bool under_way = the_tape.visiting && (root.pass.visited || the_tape.visiting == &root) &&
        std::any_of(nodes.begin(), nodes.end(), [](const Node* node) { return !node->pass.visited; });
    if (!root.ledger || !pass_of(root)) {
      recording_.pass = root.done || under_way ? "freed" : "none";
      return;
    }
    recording_.pass = under_way ? "under way" : "whole";
    recording_.from_here = pass_begins_at(root);
    find_edges(under_way ? nodes : std::vector<Node*>());
    for (Node* node : nodes)
      if (node->ledger && pass_of(*node) && by_node_.count(node)) add_step(*node);
    for (Recording::Step& step : recording_.steps)
      if (step.op >= 0) step.adds = std::move(adds_[recording_.ops[step.op].node]);
  }

  static bool pass_begins_at(const Node& root) {
    const std::vector<Contribution>& parts = root.ledger->contributions;
    return parts.size() == 1 && !parts[0].input;
  }

  // Maps each edge to (op, input), and counts contributions that have not arrived.
  void find_edges(const std::vector<Node*>& pass) {
    for (const Recording::Op& op : recording_.ops) {
      int i = 0;
      for (const Input* in = op.node->inputs; in; in = in->next) edges_[in] = {op.node, i++};
      if (!op.node->ledger) continue;
      for (const auto& [leaf, before] : op.node->ledger->leaves_inside) inside_.emplace(&*leaf, before);
    }
    for (const Node* node : pass)
      for (const Input* in = node->inputs; in && !node->pass.visited; in = in->next)
        if (*in) ++to_come_[in->node.get()];
  }

  void add_step(const Node& node) {
    const std::vector<Contribution>& parts = node.ledger->contributions;
    const bool inside = inside_.count(&node);  // the inner pass overwrote its contributions
    const int value = int(by_node_[&node]);
    Tensor sum;
    for (size_t k = 0; k < parts.size(); ++k) {
      sum = added(sum, parts[k].gradient);
      const auto edge = edges_.find(parts[k].input);
      if (edge == edges_.end()) continue;
      const auto [op, i] = edge->second;
      adds_[op].push_back({i, value, parts[k].before, parts[k].gradient, inside ? Tensor() : sum, k + 1,
          inside ? 0 : parts.size() + to_come_[&node]});
    }
    const int made_by = recording_.values[value].op;  // -1 also for the output of an op that was left out
    if (!node.pass.visited || (made_by < 0 && !node.is_leaf())) return;
    const Tensor& hooked = node.ledger->hooked;
    const bool changed = hooked.defined() && !alike(hooked, sum);
    Recording::Step step{made_by, value, changed ? hooked : sum, changed, {}};
    if (step.op < 0) step.adds.push_back(inside ? change_of(node, value) : leaf_update(value, step.dY));
    if (inside) step.dY = step.adds[0].part;
    recording_.steps.push_back(std::move(step));
  }

  // A leaf's grad += dY.
  Recording::Add leaf_update(int leaf, const Tensor& dY) {
    return {0, leaf, dY.shape(), dY, added(recording_.values[leaf].grad, dY)};
  }

  static Tensor added(const Tensor& sum, const Tensor& part) {
    if (!sum.defined()) return part;
    Tensor total = sum.copied();
    accumulate(total, part);
    return total;
  }

  // The change of a leaf's grad when a checkpoint's inner pass also added to it. Undefined if
  // another pass may have run since.
  Recording::Add change_of(const Node& leaf, int value) {
    const Tensor& before = recording_.values[value].grad = inside_[&leaf];
    if (loss_.node()->done) return {0, value, leaf.shape, {}, {}, 1, 0};
    Tensor part = leaf.grad.copied();
    for (int64_t i = 0; before.defined() && i < part.numel(); ++i) part.data()[i] -= before.data()[i];
    return {0, value, leaf.shape, part, leaf.grad.copied(), 1, 0};
  }

  const Tensor& loss_;
  Recording recording_;
  std::map<const Node*, size_t> by_node_;
  std::map<std::tuple<const Scalar*, int64_t, int>, size_t> by_data_;
  std::map<const Input*, std::pair<const Node*, int>> edges_;
  std::map<const Node*, std::vector<Recording::Add>> adds_;  // per op, in pass order
  std::map<const Node*, size_t> to_come_;                    // contributions
  std::map<const Node*, Tensor> inside_;                     // leaf -> its grad before the inner pass
};

}

bool unchanged(const Saved& saved) { return saved.defined() && saved.version == saved.storage()->version(); }

Recording recording_of(const Tensor& loss, size_t max_ops) { return RecordingBuilder(loss, max_ops).result(); }

}
