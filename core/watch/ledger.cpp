#include "core/watch/ledger.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/check.hpp"
#include "core/tape/tape.hpp"
#include "core/text_stream.hpp"
#include "core/watch/paranoid.hpp"

namespace stepgrad {

#ifdef STEPGRAD_TEACH
LedgerSwitch ledger_switch{true, false};
#else
LedgerSwitch ledger_switch{false, false};
#endif

namespace {

Ledger& ledger_of(Node& node) {
  if (!node.ledger) node.ledger = Ref<Ledger>(new Ledger);
  return *node.ledger;
}

// 'x' [3, 4] -1.5 to 2, 'w' [4, 8] 0 to 0
std::string input_ranges(const Node& node) {
  TextStream text;
  const Input* in = node.inputs;
  for (const Range& range : node.ledger->inputs) {
    text << (in == node.inputs ? "" : ", ") << *in << ' ' << range;
    in = in->next;
  }
  return text.str();
}

std::string number(Scalar value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", double{value});
  return text;
}

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

// [3, 8] -> [8] if it was broadcast
std::string shapes(const Shape& before, const Shape& after) {
  TextStream text;
  text << before;
  if (!(before == after)) text << " -> " << after;
  return text.str();
}

// The first and last numbers of a tensor.
std::string preview(const Tensor& x) {
  constexpr int64_t edge = 3;
  std::string text;
  for (int64_t i = 0; i < x.numel(); ++i) {
    if (i == edge && x.numel() > 2 * edge) {
      text += " ...";
      i = x.numel() - edge;
    }
    text += (i ? " " : "") + number(x.data()[i]);
  }
  return text;
}

}  // namespace

void destroy(Ledger* ledger) { delete ledger; }

void set_ledger(bool keep) { ledger_switch.kept = keep; }
void set_detect_nan(bool detect) { ledger_switch.detects_nan = detect; }

Range::Range(const Tensor& x) {
  for (const Scalar *value = x.data(), *end = value + x.numel(); value < end; ++value) {
    if (std::isfinite(*value)) {
      min = std::min(min, *value);
      max = std::max(max, *value);
    } else {
      ++(std::isnan(*value) ? nan : inf);
    }
  }
}

std::ostream& operator<<(std::ostream& out, const Range& range) {
  if (range.min <= range.max)
    out << number(range.min) << " to " << number(range.max);
  else
    out << "no finite number";
  if (range.nan) out << ", " << range.nan << " NaN";
  if (range.inf) out << ", " << range.inf << " Inf";
  return out;
}

void ledger_inputs(Node& node, Operands operands) {
  Ledger& ledger = ledger_of(node);
  for (const Tensor* operand : operands) {
    ledger.inputs.emplace_back(*operand);
    if (ledger_switch.kept)
      ledger.operands.push_back(operand->is_leaf() ? operand->with_shape(operand->shape())
                                                   : Tensor());
  }
  ledger.began = std::chrono::steady_clock::now();
}

void ledger_output(Node& node, const Tensor& y) {
  Ledger& ledger = ledger_of(node);
  if (ledger.began.time_since_epoch().count()) ledger.forward_seconds = seconds_since(ledger.began);
  if (ledger_switch.kept) ledger.value = y.copied();
  if (paranoid) paranoid_recorded(node);
  const Range range = ledger.output = Range(y);
  if (ledger_switch.detects_nan && !range.finite())
    fail<ValueError>(node.op(), " at ", called_at(node.loc, node.caller), ": its output ",
                     y.shape(), " has ", range.nan, " NaN and ", range.inf, " Inf; its inputs are ",
                     input_ranges(node));
}

void ledger_pass(const std::vector<Node*>& nodes) {
  for (Node* node : nodes) {
    Ledger& ledger = ledger_of(*node);
    ledger.contributions.clear();
    ledger.hooked = {};
    ledger.saved_again = 0;
    ledger.leaves_inside.clear();
    ledger.earlier = node->grad.defined() ? node->grad.copied() : Tensor();
  }
  const Tensor& first = nodes[0]->pass.arrived;
  nodes[0]->ledger->contributions.push_back(
      {"backward", 0, {}, {}, first.shape(), Range(first), first.copied(), nullptr});
}

int64_t saved_bytes(const Node& node, std::set<const Scalar*>& counted) {
  int64_t bytes = 0;
  for (const Saved* saved = node.saved; saved; saved = saved->next)
    if (saved->defined() && counted.insert(saved->data()).second)
      bytes += saved->numel() * static_cast<int64_t>(sizeof(Scalar));
  return bytes;
}

void ledger_inner_pass(Node& outer, const std::vector<Node*>& nodes) {
  if (!outer.ledger) return;
  std::set<const Scalar*> counted;  // what the tape has not made, it does not keep either
  for (const Node* node : nodes) {
    auto operand = node->ledger->operands.begin();
    for (const Input* in = node->inputs; in && operand != node->ledger->operands.end();
         in = in->next, ++operand)
      if (operand->defined() && (!in->node || in->node->is_leaf())) counted.insert(operand->data());
  }
  for (Node* node : nodes) {
    outer.ledger->saved_again += saved_bytes(*node, counted) + node->ledger->saved_again;
    auto& leaves = outer.ledger->leaves_inside;
    if (node->is_leaf()) leaves.emplace_back(node, node->ledger->earlier);
    auto& deeper = node->ledger->leaves_inside;
    std::move(deeper.begin(), deeper.end(), std::back_inserter(leaves));
  }
}

// The parts that have arrived are added up once more, in the same order: the same bits.
static void add_up(Node& node) {
  node.pass.arrived = {};
  for (const Contribution& by : node.ledger->contributions) accumulate(node.pass.arrived, by.part);
}

static void restore(Node& leaf, const Tensor& earlier) {
  if (!earlier.defined())
    leaf.grad = {};
  else if (leaf.grad.defined())  // in place, for somebody may hold it
    std::copy_n(earlier.data(), earlier.numel(), leaf.grad.data());
}

bool undo(Node& node) {
  if (!node.ledger || node.ledger->contributions.empty()) return false;
  for (const Input* in = node.inputs; in; in = in->next) {
    if (!*in || !in->node->ledger) continue;
    auto& parts = in->node->ledger->contributions;
    while (!parts.empty() && parts.back().number == node.number) parts.pop_back();
    add_up(*in->node);
  }
  add_up(node);
  node.ledger->hooked = {};
  restore(node, node.ledger->earlier);
  auto& inside = node.ledger->leaves_inside;
  for (; !inside.empty(); inside.pop_back()) restore(*inside.back().first, inside.back().second);
  return true;
}

void ledger_gradient(Node& node, const Tensor& dY, bool by_hook) {
  ledger_of(node).arrived = Range(dY);
  if (by_hook) node.ledger->hooked = dY.copied();
}

void ledger_contribution(const Input& input, const Shape& before, const Tensor& part) {
  const Node& op = *the_tape.visiting;
  const Range range(part);
  ledger_of(*input.node)
      .contributions.push_back(
          {op.op(), op.number, op.loc, op.caller, before, range, part.copied(), &input});
  if (ledger_switch.detects_nan && !range.finite())
    fail<ValueError>("backward: ", op.op(), " at ", called_at(op.loc, op.caller),
                     ": the gradient for its input ", input, " has ", range.nan, " NaN and ",
                     range.inf, " Inf; the gradient that arrived, ", op.shape, ", is ",
                     op.ledger->arrived, "; its inputs were ", input_ranges(op));
}

std::string explain(const Tensor& x) {
  check<TapeError>(x.requires_grad(), "explain: ", x.shape(), " does not require a gradient");
  const Ledger* ledger = x.node()->ledger.get();
  check<TapeError>(ledger, "explain: ", x.shape(),
                   " has no ledger: call set_ledger(true), and then backward()");
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const std::string& what, const std::string& at, const Shape& before,
                       const Tensor& numbers) {
    TextStream range;
    range << Range(numbers);
    rows.push_back({what, at, shapes(before, x.shape()), range.str(), preview(numbers)});
  };
  Tensor sum;
  if (x.is_leaf() && ledger->earlier.defined()) {
    sum = ledger->earlier.copied();
    add("earlier passes", "", x.shape(), sum);
  }
  for (const Contribution& by : ledger->contributions) {
    accumulate(sum, by.part);
    add(by.number ? by.op + (" #" + std::to_string(by.number)) : by.op,
        by.number ? called_at(by.loc, by.caller) : "", by.before, by.part);
  }
  if (!sum.defined()) return "nothing has been added to the gradient yet\n";
  add("sum", "", x.shape(), sum);
  if (ledger->hooked.defined()) add("hooks made of what arrived", "", x.shape(), ledger->hooked);
  return columns(rows);
}

}  // namespace stepgrad
