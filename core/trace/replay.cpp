#include "core/trace/replay.hpp"

#include <algorithm>
#include <limits>

#include "core/check.hpp"
#include "core/tape/modes.hpp"
#include "core/watch/ledger.hpp"

namespace stepgrad {

Tensors Replay::forward() const {
  Tensors made = values_;
  Tensors inputs;
  for (const Op& op : ops_) {
    inputs.clear();
    for (const size_t input : op.inputs) inputs.push_back(made[input]);
    const Scoped<bool> records(modes.grad, modes.grad && op.wants_grad);
    Tensor& y = made[op.output] = op.formula->recompute(inputs, op.attributes);
    const Tensor& mask = values_[op.output];
    if (!mask.defined()) continue;
    std::copy_n(mask.data(), mask.numel(), y.data());
    if (Node* node = y.node(); node && node->ledger) note_output(*node->ledger, y);
  }
  return made;
}

static void check_same(const Recording& recording, size_t values, size_t ops) {
  check<ValueError>(recording.values.size() == values && recording.ops.size() == ops, "replay: ", ops, " ops of ",
      values, " tensors were recorded, and now ", recording.ops.size(), " of ", recording.values.size());
}

Recording Replay::run() {
  const KeepLedger ledger;
  loss_ = forward()[ops_.back().output];  // if it throws, nothing has changed
  for (size_t v = 0; v < values_.size(); ++v)
    if (values_[v].defined() && values_[v].requires_grad())
      values_[v].set_grad(earlier_[v].defined() ? earlier_[v].copied() : Tensor());
  loss_.backward(seed_.copied(), true);
  Recording recording = recording_of(loss_, std::numeric_limits<size_t>::max());
  check_same(recording, values_.size(), ops_.size());
  for (size_t i = 0; i < ops_.size(); ++i)
    check<ValueError>(std::string_view(recording.ops[i].node->op()) == ops_[i].formula->op &&
            recording.ops[i].output == int(ops_[i].output),
        "replay: ", ops_[i].formula->op, " has recorded a ", recording.ops[i].node->op());
  return recording;
}

Tensor Replay::output(size_t value) const {
  const NoGrad no_grad;
  return forward().at(value);
}

double Replay::loss() const {
  const Tensor y = output(ops_.back().output);
  double sum = 0;
  for (int64_t i = 0; i < y.numel(); ++i) sum += double{y.data()[i]} * double{seed_.data()[i]};
  return sum;
}

void Replay::step(size_t value, Scalar rate) {
  const Tensor &w = given(value), g = w.grad();
  for (int64_t i = 0; g.defined() && i < w.numel(); ++i) {
    const Scalar moved = -rate * g.data()[i];  // two roundings, as in nn::SGD
    w.data()[i] += moved;
  }
}

void Replay::keep_gradients() {
  for (size_t v = 0; v < values_.size(); ++v) {
    if (!values_[v].defined() || !values_[v].requires_grad()) continue;
    const Tensor grad = values_[v].grad();
    earlier_[v] = grad.defined() ? grad.copied() : Tensor();
  }
}

void Replay::keep_numbers() {
  for (Tensor& value : values_) {
    if (!value.defined()) continue;
    const Tensor last = value;
    value = last.copied().requires_grad_(last.requires_grad());
    if (last.grad().defined()) value.set_grad(last.grad());
  }
}

void Replay::zero_grad() { std::fill(earlier_.begin(), earlier_.end(), Tensor()); }

void Replay::draw(bool training) {
  const NoGrad no_grad;
  const auto draws = std::count_if(ops_.begin(), ops_.end(), [](const Op& op) { return op.inputs.empty(); });
  for (Op& op : ops_) {
    if (!op.inputs.empty()) continue;
    const Tensor& mask = values_[op.output];
    if (!training) {
      std::fill_n(mask.data(), mask.numel(), Scalar(op.attributes("keep")));
      continue;
    }
    for (Attribute& attribute : op.attributes)
      if (attribute.name == std::string_view("call")) attribute.values[0] += double(draws);
    const Tensor drawn = op.formula->recompute({}, op.attributes);
    std::copy_n(drawn.data(), drawn.numel(), mask.data());
  }
}

}
