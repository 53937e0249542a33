#include "core/watch/detect_nan.hpp"

#include "core/check.hpp"
#include "core/tape/tape.hpp"
#include "core/text_stream.hpp"
#include "core/watch/ledger.hpp"
#include "core/watch/order.hpp"
#include "core/watch/print_tape.hpp"

namespace stepgrad {
namespace {

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

struct NanDetection final : Observer {
  constexpr NanDetection() : Observer(place::nan) {}
  bool wants_every_op() const override { return true; }

  void op_ends(Node& node, const Tensor& y) override {
    const Range& range = node.ledger->output;
    if (range.finite()) return;
    fail<ValueError>(node.op(), " at ", called_at(node), ": its output ", y.shape(), " has ",
                     range.nan, " NaN and ", range.inf, " Inf; its inputs are ",
                     input_ranges(node));
  }

  void gradient_adds(const Input& input, const Shape&, const Tensor&) override {
    const Range& range = input.node->ledger->contributions.back().range;
    if (range.finite()) return;
    const Node& op = *the_tape.visiting;
    fail<ValueError>("backward: ", op.op(), " at ", called_at(op), ": the gradient for its input ",
                     input, " has ", range.nan, " NaN and ", range.inf,
                     " Inf; the gradient that arrived, ", op.shape, ", is ", op.ledger->arrived,
                     "; its inputs were ", input_ranges(op));
  }
};

constinit NanDetection nan_detection;

}  // namespace

void set_detect_nan(bool detect) {
  if (detect) set_ledger_of_ranges(true);
  nan_detection.observe(detect);
  if (!detect) set_ledger_of_ranges(false);
}

bool detects_nan() { return nan_detection.observes(); }

}  // namespace stepgrad
