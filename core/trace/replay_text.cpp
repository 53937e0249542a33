#include <algorithm>
#include <cstdlib>
#include <set>

#include "core/check.hpp"
#include "core/tape/modes.hpp"
#include "core/trace/base64.hpp"
#include "core/trace/replay.hpp"

// A line for each tensor and each op, in words:
//   replay 4                                 the version of this text
//   leaf 2 3 4 NUMBERS EARLIER-GRADIENT      2 dimensions: [3, 4]
//   constant 0 NUMBERS integer
//   made                                     an op's output
//   mask 2 3 4 NUMBERS                       random
//   op clamp 5 1 1 2 lo 1 BITS hi 1 BITS     tensor 5, from 1 tensor: 1; 2 attributes
//   shown clamp 5 1 1 2 lo 1 BITS hi 1 BITS  the same, without a gradient
//   from 0 NUMBERS                           the gradient of the loss
// NUMBERS are base64 of float32, or "-"; BITS a double's, as a whole number.
namespace stepgrad {
namespace {

constexpr std::string_view version = "4";
constexpr int64_t most_numbers = 4'000'000;  // in a page: 21 MB

std::string data_text(const Tensor& x) {
  if (!x.defined() || !x.numel()) return "-";
  return base64(std::vector<float>(x.data(), x.data() + x.numel()));
}

std::string sized_text(const Tensor& x) {
  std::string text = std::to_string(x.dim());
  for (const int64_t size : x.shape()) text += ' ' + std::to_string(size);
  return text + ' ' + data_text(x);
}

std::string op_line(const Recording::Op& op) {
  const Node& node = *op.node;
  std::string text = std::string(node.wants_grad ? "op " : "shown ") + node.op() + ' ' + std::to_string(op.output) +
      ' ' + std::to_string(op.inputs.size());
  for (const int input : op.inputs) text += ' ' + std::to_string(input);
  text += ' ' + std::to_string(node.attributes().size());
  for (const auto& [name, values] : node.attributes()) {
    text += std::string(" ") + name + ' ' + std::to_string(values.size());
    for (const double value : values) text += ' ' + std::to_string(__builtin_bit_cast(uint64_t, value));
  }
  return text + '\n';
}

void check_can_run(const Recording& recording) {
  check<TapeError>(recording.left_out == 0, "the page has only the last ", recording.ops.size(), " ops of the tape");
  check<TapeError>(!recording.ops.empty(), "the tape has no op");
  const Loc first = recording.ops[0].node->loc;
  const std::string_view pass = recording.pass;
  check<TapeError>(pass != "freed",
      "backward() has run, and what it computed was not kept: add set_ledger(true) "
      "above the first op, at ",
      first);
  check<TapeError>(pass == "whole" && recording.from_here, "no whole backward pass from this loss was kept");
  int64_t all = 0;
  for (const Recording::Value& value : recording.values) {
    if (value.op >= 0) continue;
    check<TapeError>(!value.changed, value.name.empty() ? "a constant" : value.name, " was changed after this run");
    check<TapeError>(value.value.defined(),
        "the values of tensors were not kept: add set_ledger(true) above the first "
        "op, at ",
        first);
    all += value.value.numel();
  }
  check<TapeError>(all <= most_numbers, "its leaves and constants have ", all, " numbers, and a page keeps at most ",
      most_numbers, " of them");
  for (const Recording::Op& op : recording.ops) {
    const Node* node = op.node;
    check<TapeError>(node->formula.recompute.function, '#', node->number, ' ', node->op(),
        " cannot be recomputed from its inputs alone");
    check<TapeError>(is_in("ops/", node->formula.file), '#', node->number, ' ', node->op(),
        " is the program's own op, which the engine of a page does not have");
  }
  const auto read = [](const Recording::Value& value) {
    return value.op >= 0 || (value.read.how && !value.read.earlier);
  };
  check<TapeError>(!std::all_of(recording.values.begin(), recording.values.end(), read),
      "all its numbers, or what was computed from them, were read before the loss was "
      "computed, and may have changed it: the last by ",
      recording.values[0].read.how, " at ", recording.values[0].read.loc);
  for (const Recording::Step& step : recording.steps)
    check<TapeError>(!step.hooked, "a hook, which the page cannot run, changes gradients");
}

}

std::string to_text(const Recording& recording) {
  check_can_run(recording);
  std::string text = "replay " + std::string(version) + '\n';
  for (const Recording::Value& value : recording.values) {
    const bool drawn = value.op >= 0 && recording.ops[value.op].inputs.empty();
    if (value.op >= 0 && !drawn)
      text += "made\n";
    else if (drawn)
      text += "mask " + sized_text(value.value) + '\n';
    else if (value.wants_grad)
      text += "leaf " + sized_text(value.value) + ' ' + (value.grad.defined() ? data_text(value.grad) : "none") + '\n';
    else
      text +=
          "constant " + sized_text(value.value) + (value.value.kind() == Kind::integer ? " integer\n" : " floating\n");
  }
  for (const Recording::Op& op : recording.ops) text += op_line(op);
  return text + "from " + sized_text(recording.steps.at(0).dY) + '\n';
}

class ReplayReader {
 public:
  ReplayReader(std::string_view text, Replay& replay) : text_(text), replay_(replay) {
    check<ValueError>(word() == "replay" && word() == version,
        "replay: the engine and the tape are of different versions: build the "
        "target 'engine' anew");
    while (!text_.empty()) line();
    check<ValueError>(!replay.ops_.empty() && replay.seed_.defined(), "replay: there is no op");
  }

 private:
  void line() {
    const std::string_view kind = word();
    if (kind == "op" || kind == "shown") return op(kind == "op");
    if (kind == "from") return void(replay_.seed_ = tensor());
    Tensor value, earlier;
    if (kind == "leaf") {
      value = tensor().requires_grad_();
      earlier = gradient(value.shape());
    } else if (kind == "constant") {
      value = tensor();
      value.set_kind(word() == "integer" ? Kind::integer : Kind::floating);
    } else if (kind == "mask") {
      value = tensor();
    } else {
      check<ValueError>(kind == "made", "replay: a line begins with '", kind, "'");
    }
    replay_.values_.push_back(value);
    replay_.earlier_.push_back(earlier);
  }

  void op(bool wants_grad) {
    const std::string name(word());
    const Formula* formula = formula_named(name);
    check<ValueError>(formula && formula->recompute, "replay: no op '", name, "' is known here");
    Replay::Op op{formula, {}, {}, place(), wants_grad};
    for (size_t n = size(); n > 0; --n) op.inputs.push_back(place());
    for (size_t n = size(); n > 0; --n) {
      static std::set<std::string, std::less<>> names;  // attributes point into it
      const char* attribute = names.emplace(word()).first->c_str();
      std::vector<double> values(size());
      for (double& value : values) value = __builtin_bit_cast(double, whole());
      op.attributes.push_back({attribute, values});
    }
    replay_.ops_.push_back(std::move(op));
  }

  Tensor tensor() {
    std::vector<int64_t> sizes(size());
    for (int64_t& each : sizes) each = int64_t(size());
    return numbers(Shape(std::span<const int64_t>(sizes)), word());
  }
  Tensor gradient(const Shape& shape) {
    const std::string_view text = word();
    return text == "none" ? Tensor() : numbers(shape, text);
  }
  static Tensor numbers(const Shape& shape, std::string_view text) {
    const std::vector<float> floats = text == "-" ? std::vector<float>() : floats_from_base64(text);
    check<ValueError>(
        int64_t(floats.size()) == shape.numel(), "replay: ", shape, " has not ", floats.size(), " numbers");
    return Tensor::from(std::vector<Scalar>(floats.begin(), floats.end()), shape);
  }

  uint64_t whole() { return std::strtoull(std::string(word()).c_str(), nullptr, 10); }
  size_t size() { return size_t(whole()); }
  size_t place() {
    const size_t value = size();
    check<ValueError>(value < replay_.values_.size(), "replay: there is no tensor ", value);
    return value;
  }
  std::string_view word() {
    const size_t end = std::min(text_.find_first_of(" \n"), text_.size());
    const std::string_view found = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    return found;
  }

  std::string_view text_;
  Replay& replay_;
};

Replay::Replay(std::string_view text) { ReplayReader(text, *this); }

}
