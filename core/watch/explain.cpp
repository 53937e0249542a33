#include "core/watch/explain.hpp"

#include "core/check.hpp"
#include "core/tape/accumulate.hpp"
#include "core/text_stream.hpp"
#include "core/watch/ledger.hpp"
#include "core/watch/print_tape.hpp"

namespace stepgrad {
namespace {

constexpr size_t most_shown = 200;  // contributions

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
    text += (i ? " " : "") + short_number(x.data()[i]);
  }
  return text;
}

}

std::string explain(const Tensor& x, Loc loc) {
  const OpCall call(Arg(x, loc));
  check<TapeError>(x.requires_grad(), "explain: ", x.shape(), " does not require a gradient");
  return explain(*x.node());
}

std::string explain(const Node& node) {
  const Ledger* ledger = node.ledger.get();
  check<TapeError>(ledger || ledger_kept(), "explain: no ledger of ", node.shape,
      " was kept: call set_ledger(true), and then backward()");
  const std::string nothing = "nothing has been added to the gradient while the ledger was kept\n";
  if (!ledger) return nothing;
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const std::string& what, const std::string& at, const Shape& before, const Tensor& numbers) {
    TextStream range;
    range << Range(numbers);
    rows.push_back({what, at, shapes(before, node.shape), range.str(), preview(numbers)});
  };
  Tensor sum;
  if (node.is_leaf() && ledger->earlier.defined()) {
    sum = ledger->earlier.copied();
    add("earlier passes", "", node.shape, sum);
  }
  size_t shown = 0;
  for (const Contribution& by : ledger->contributions) {
    accumulate(sum, by.gradient);
    if (++shown > most_shown) continue;
    add(by.number ? by.op + (" #" + std::to_string(by.number)) : by.op, by.number ? called_at(by.loc, by.caller) : "",
        by.before, by.gradient);
  }
  if (!sum.defined()) return nothing;
  if (shown > most_shown) rows.push_back({"and " + std::to_string(shown - most_shown) + " more"});
  add("sum", "", node.shape, sum);
  if (ledger->hooked.defined()) add("after hooks", "", node.shape, ledger->hooked);
  return in_columns(rows);
}

}
