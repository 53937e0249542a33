#include "core/watch/explain.hpp"

#include "core/check.hpp"
#include "core/tape/accumulate.hpp"
#include "core/text_stream.hpp"
#include "core/watch/ledger.hpp"
#include "core/watch/print_tape.hpp"

namespace stepgrad {
namespace {

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

}  // namespace

std::string explain(const Tensor& x) {
  check<TapeError>(x.requires_grad(), "explain: ", x.shape(), " does not require a gradient");
  const Ledger* ledger = x.node()->ledger;
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
    accumulate(sum, by.gradient);
    add(by.number ? by.op + (" #" + std::to_string(by.number)) : by.op,
        by.number ? called_at(by.loc, by.caller) : "", by.before, by.gradient);
  }
  if (!sum.defined()) return "nothing has been added to the gradient yet\n";
  add("sum", "", x.shape(), sum);
  if (ledger->hooked.defined()) add("after hooks", "", x.shape(), ledger->hooked);
  return in_columns(rows);
}

}  // namespace stepgrad
