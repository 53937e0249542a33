#include "core/watch/detect_nan.hpp"

#include "core/check.hpp"
#include "core/tape/tape.hpp"
#include "core/text_stream.hpp"
#include "core/watch/ledger.hpp"
#include "core/watch/order.hpp"
#include "core/watch/print_tape.hpp"

namespace stepgrad {
namespace {

// "; its inputs are 'x' [3, 4] -1.5 to 2, 'w' [4, 8] 0 to 0", or nothing if the ledger was not kept
// when the op was recorded.
std::string input_ranges(const Node& node, const char* begin) {
  TextStream text;
  const Input* in = node.inputs;
  for (const Range& range : node.ledger->inputs) {
    text << (in == node.inputs ? begin : ", ") << *in << ' ' << range;
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
    fail<ValueError>(node.op(), " at ", called_at(node), ": its output ", y.shape(), " has ", range.nan, " NaN and ",
        range.inf, " Inf", input_ranges(node, "; its inputs are "));
  }

  void gradient_adds(const Input& input, const Shape&, const Tensor&) override {
    const Range& range = input.node->ledger->contributions.back().range;
    if (range.finite()) return;
    const Node& op = *the_tape.visiting;
    fail<ValueError>("backward: ", op.op(), " at ", called_at(op), ": the gradient for its input ", input, " has ",
        range.nan, " NaN and ", range.inf, " Inf; the gradient that arrived, ", op.shape, ", is ", op.ledger->arrived,
        input_ranges(op, "; its inputs were "));
  }
};

constinit NanDetection nan_detection;

}

void set_detect_nan(bool detect) {
  if (detect) set_ledger_of_ranges(true);
  nan_detection.observe(detect);
  if (!detect) set_ledger_of_ranges(false);
}

bool detects_nan() { return nan_detection.observes(); }

}
