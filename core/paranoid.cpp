#include "core/paranoid.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <map>
#include <set>
#include <sstream>

#include "core/check.hpp"
#include "core/ledger.hpp"
#include "core/modes.hpp"
#include "core/tape.hpp"

namespace stepgrad {
namespace {

struct Rule {
  int64_t gradients = 0, compared = 0, corners = 0, unclear = 0, wrong = 0;
  double difference = 0;  // the largest, relative to the larger of both
};

// Changed only during a backward pass, of which one runs at a time.
struct Findings {
  std::map<std::string, Rule> rules;
  std::map<std::string, int64_t> visits;  // of an op at a line
  std::set<std::string> kinds;            // of what was found, with line and input
  std::vector<std::string> texts;
};

Findings& findings() {
  static Findings& all = *new Findings;  // never destroyed: the verdict is printed at the very end
  return all;
}

std::string at(const Node& node) {
  return std::string(node.op()) + " at " + called_at(node.loc, node.caller);
}

template <class... Parts>
void found(const Node& node, const std::string& kind, const Parts&... parts) {
  if (!findings().kinds.insert(at(node) + kind).second) return;
  std::ostringstream text;
  text << at(node) << ": ";
  (text << ... << parts);
  findings().texts.push_back(text.str());
  std::cerr << "paranoid: " << text.str() << '\n';
}

uint64_t checksum(const Tensor& x) {  // FNV-1a over the elements' bits
  uint64_t sum = 14695981039346656037u;
  using Bits = std::conditional_t<sizeof(Scalar) == 4, uint32_t, uint64_t>;
  for (int64_t i = 0; i < x.numel(); ++i)
    sum = (sum ^ std::bit_cast<Bits>(x.data()[i])) * 1099511628211u;
  return sum;
}

// Σ dY∘(Y(x) - Y(from)) / (x - from) for one element of an input that moved, and how much of that
// is only the rounding of Y.
struct Slope {
  double value = 0, noise = 0;
};

Slope slope(const Tensor& dY, const Tensor& to, const Tensor& from, double distance) {
  double sum = 0, rounded = 0, largest = 0;
  for (int64_t i = 0; i < dY.numel(); ++i) {
    const double a = to.data()[i], b = from.data()[i], weight = dY.data()[i];
    const double size = std::abs(weight) * std::max(std::abs(a), std::abs(b));
    largest = std::max(largest, size);
    if (a == b) continue;
    sum += weight * (a - b);
    rounded += size;
  }
  // Where nothing changed, the change may still be what rounding hides.
  constexpr double rounding = 4 * std::numeric_limits<Scalar>::epsilon();
  const double noise = (rounded > 0 ? rounded : largest) * rounding;
  return {sum / distance, noise / std::abs(distance)};
}

class Comparison {
 public:
  Comparison(const Node& node, const Tensor& dY, Rule& rule) : node_(node), dY_(dY), rule_(rule) {
    again_ = again_for(node.op());
    if (again_ && find_inputs()) at_ = (*again_)(node, xs_);
  }

  // Whether the op, computed once more, gives what was recorded: not if an input has been written
  // over since, or another precision was asked for.
  bool possible() const {
    const Tensor& y = node_.ledger->value;
    if (!at_.defined() || !(at_.shape() == y.shape())) return false;
    return std::equal(y.data(), y.data() + y.numel(), at_.data(), [](Scalar a, Scalar b) {
      return a == b || (std::isnan(a) && std::isnan(b));
    });
  }

  void compare(const Input& in, size_t which, int64_t element, double gradient) {
    const double x = xs_[which].data()[element];
    const Range& range = node_.ledger->inputs[which];
    const double largest = std::max(std::abs(range.min), std::abs(range.max));
    const double usual = 0 < largest && largest < 1 ? largest : 1;  // masks may hold -1e9
    double h = std::max(std::abs(x), usual / 64) / 256;
    // Smaller steps where the op is not defined so far away, or bends too much.
    bool measured = false, corner = false;
    double middle = 0;
    for (int tries = 0; tries < 4; ++tries, h /= 8) {
      const Slope up = moved(which, element, h), down = moved(which, element, -h);
      const double mean = (up.value + down.value) / 2, noise = up.noise + down.noise;
      const double size = std::max(std::abs(mean), std::abs(gradient));
      if (!std::isfinite(mean)) continue;
      if (noise > 0.25 * size + std::numeric_limits<Scalar>::min()) break;
      const double off = std::abs(mean - gradient);
      if (off <= 0.01 * size + noise) {
        ++rule_.compared;
        if (size > 0) rule_.difference = std::max(rule_.difference, off / size);
        return;
      }
      const auto [low, high] = std::minmax(up.value, down.value);
      const bool straight = high - low <= 0.02 * size + noise;
      measured = true, middle = mean;
      corner = !straight && gradient >= low - noise && gradient <= high + noise;
    }
    if (!measured) {
      ++rule_.unclear;
    } else if (corner) {
      ++rule_.corners;  // as of relu at 0: any slope between both is right
    } else {
      ++rule_.compared, ++rule_.wrong;
      const double size = std::max(std::abs(middle), std::abs(gradient));
      rule_.difference = std::max(rule_.difference, std::abs(middle - gradient) / size);
      found(node_, "wrong" + std::to_string(which), "the gradient of ", in, " at element ", element,
            " is ", gradient, ", and a central difference there is ", middle);
    }
  }

 private:
  // What the op was given: leaves are still there, and the ledger has what ops made.
  bool find_inputs() {
    const std::vector<Tensor>& operands = node_.ledger->operands;
    size_t i = 0;
    for (const Input* in = node_.inputs; in; in = in->next, ++i) {
      Tensor x = i < operands.size() ? operands[i] : Tensor();
      if (!x.defined() && in->node && in->node->ledger) x = in->node->ledger->value;
      if (!x.defined() || !(x.shape() == in->shape)) return false;
      xs_.push_back(x);
    }
    return node_.ledger->value.defined() && node_.ledger->inputs.size() == xs_.size();
  }

  Slope moved(size_t which, int64_t element, double h) {
    const Tensor x = xs_[which];
    xs_[which] = x.copied();
    Scalar& there = xs_[which].data()[element];
    const double before = there;
    there = static_cast<Scalar>(before + h);
    const double distance = there - before;
    const Slope found = slope(dY_, (*again_)(node_, xs_), at_, distance);
    xs_[which] = x;
    return found;
  }

  const Node& node_;
  const Tensor& dY_;
  Rule& rule_;
  const Again* again_;
  std::vector<Tensor> xs_;
  Tensor at_;  // what the op makes of them
};

// What the node, in the pass that is here, has added to the gradient of an input.
Tensor added(const Node& node, const Input& in) {
  Tensor sum;
  const auto& parts = in.node->ledger->contributions;
  for (auto by = parts.rbegin(); by != parts.rend() && by->number == node.number; ++by)
    if (by->input == &in) accumulate(sum, by->part);
  return sum;
}

void check_gradient(const Node& node, const Input& in, size_t which, const Tensor& part) {
  const std::string kind = std::to_string(which);
  if (!(part.shape() == in.shape))
    found(node, "shape" + kind, "the gradient of ", in, " has the shape ", part.shape());
  const Range range(part);
  if (!range.finite())
    found(node, "infinite" + kind, "the gradient of ", in, " has ", range.nan, " NaN and ",
          range.inf, " Inf");
  const Tensor& arrived = in.node->pass.arrived;
  if (!arrived.defined()) return;
  for (const Saved* saved = node.saved; saved; saved = saved->next)
    if (saved->defined() && saved->data() == arrived.data())
      found(node, "saved" + kind, "the gradient of ", in, " is in the memory of the saved ",
            saved->letter);
  for (const Input* other = in.next; other; other = other->next)
    if (*other && other->node.get() != in.node.get() && other->node->pass.arrived.defined() &&
        other->node->pass.arrived.data() == arrived.data())
      found(node, "shared" + kind, "the gradients of ", in, " and ", *other,
            " are in the same memory");
}

int64_t largest(const Tensor& x) {
  const auto smaller = [](Scalar a, Scalar b) { return std::abs(a) < std::abs(b); };
  return std::max_element(x.data(), x.data() + x.numel(), smaller) - x.data();
}

void compare_rule(const Node& node, const Tensor& dY, Rule& rule) {
  const NoGrad no_grad;
  Comparison comparison(node, dY, rule);
  if (!comparison.possible()) return;
  size_t which = 0;
  for (const Input* in = node.inputs; in; in = in->next, ++which) {
    if (!*in || in->shape.numel() == 0) continue;
    const Tensor part = added(node, *in);
    if (part.defined() && !(part.shape() == in->shape)) continue;
    const auto gradient = [&](int64_t i) { return part.defined() ? double{part.data()[i]} : 0.; };
    const int64_t most = part.defined() ? largest(part) : 0;
    const int64_t any = node.number * 2654435761 % in->shape.numel();
    comparison.compare(*in, which, most, gradient(most));
    if (any != most) comparison.compare(*in, which, any, gradient(any));
  }
}

bool from_environment() {
  const char* wish = std::getenv("STEPGRAD_PARANOID");
  if (!wish || std::string_view(wish) != "1") return false;
  ledger_switch.kept = poison_memory = true;
  std::atexit([] { std::cerr << paranoid_verdict(); });
  return true;
}

}  // namespace

bool paranoid = from_environment();

void set_paranoid(bool on) {
  paranoid = poison_memory = on;
  if (!on) return;
  set_ledger(true);
  findings() = {};
}

void paranoid_recorded(Node& node) {
  std::vector<uint64_t>& sums = node.ledger->saved_checksums;
  sums.clear();
  for (const Saved* saved = node.saved; saved; saved = saved->next)
    sums.push_back(saved->defined() ? checksum(*saved) : 0);
}

void paranoid_arrived(Node& node, const Tensor& dY) {
  if (!node.ledger) return;
  node.ledger->dY = dY.copied();
  size_t i = 0;
  for (const Saved* saved = node.saved; saved; saved = saved->next, ++i) {
    if (i >= node.ledger->saved_checksums.size() || !saved->defined()) continue;
    if (checksum(*saved) == node.ledger->saved_checksums[i]) continue;
    found(node, std::string("saved") + saved->letter, "the saved ", saved->letter, ' ',
          saved->shape(), " has other numbers than when it was saved");
  }
}

void paranoid_left(Node& node) {
  if (node.is_leaf() || !node.ledger || !node.ledger->dY.defined()) return;
  const Tensor dY = std::exchange(node.ledger->dY, {});
  Rule& rule = findings().rules[node.op()];
  ++rule.gradients;
  size_t which = 0;
  for (const Input* in = node.inputs; in; in = in->next, ++which)
    if (*in && in->node->ledger)
      if (const Tensor part = added(node, *in); part.defined())
        check_gradient(node, *in, which, part);
  const int64_t visit = ++findings().visits[at(node)];
  if (!std::has_single_bit(static_cast<uint64_t>(visit))) return;
  try {
    compare_rule(node, dY, rule);
  } catch (const std::exception& error) {
    found(node, "throws", "it cannot be computed once more: ", error.what());
  }
}

std::string paranoid_verdict() {
  std::vector<std::vector<std::string>> rows{
      {"rule", "gradients", "compared", "largest difference", "verdict"}};
  for (const auto& [name, rule] : findings().rules) {
    std::ostringstream difference, verdict;
    difference.precision(2);
    difference << rule.difference;
    verdict << (rule.wrong ? "WRONG" : rule.compared ? "right" : "not compared");
    if (rule.wrong) verdict << " in " << rule.wrong;
    if (rule.corners) verdict << ", " << rule.corners << " at a corner";
    if (rule.unclear) verdict << ", " << rule.unclear << " too small to tell";
    rows.push_back({name, std::to_string(rule.gradients), std::to_string(rule.compared),
                    rule.compared ? difference.str() : "-", verdict.str()});
  }
  std::string text = "paranoid: what was found of " + std::to_string(rows.size() - 1) + " rules\n";
  text += columns(rows);
  for (const std::string& each : findings().texts) text += "found: " + each + "\n";
  if (findings().texts.empty()) text += "found: nothing\n";
  return text;
}

}  // namespace stepgrad
