#include "core/watch/compare_backward.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/tape/accumulate.hpp"
#include "core/tape/modes.hpp"
#include "core/watch/ledger.hpp"

namespace stepgrad {
namespace {

// Σ dY∘(Y(x) - Y(from)) / (x - from) for one changed element of an input, and the part of it that
// rounding of Y may cause.
struct Slope {
  double value, noise;
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
  // If no Y changed, rounding may have hidden the change.
  constexpr double rounding = 4 * std::numeric_limits<Scalar>::epsilon();
  const double noise = (rounded > 0 ? rounded : largest) * rounding;
  return {sum / distance, noise / std::abs(distance)};
}

class Comparison {
 public:
  Comparison(const Node& node, const Tensor& dY, Comparisons& counts, const WhenWrong& when_wrong)
      : node_(node), dY_(dY), counts_(counts), when_wrong_(when_wrong) {
    if (!node.formula.traits.rounds && find_inputs()) at_ = node.recompute(xs_);
  }

  // Whether a recompute gives the recorded output. It does not if an input was overwritten or the
  // precision changed since.
  bool possible() const {
    const Tensor& y = node_.ledger->value;
    if (!at_.defined() || !(at_.shape() == y.shape())) return false;
    return std::equal(y.data(), y.data() + y.numel(), at_.data(),
        [](Scalar a, Scalar b) { return a == b || (std::isnan(a) && std::isnan(b)); });
  }

  void compare(const Input& in, size_t which, int64_t element, double gradient) {
    const double x = xs_[which].data()[element];
    const Range& range = node_.ledger->inputs[which];
    const double largest = std::max(std::abs(range.min), std::abs(range.max));
    const double usual = 0 < largest && largest < 1 ? largest : 1;  // masks may hold -1e9
    double h = std::max(std::abs(x), usual / 64) / 256;
    // Smaller steps if the op is undefined that far away, or too curved.
    std::optional<double> measured;
    bool kink = false;
    for (int tries = 0; tries < 4; ++tries, h /= 8) {
      const Slope up = moved(which, element, h), down = moved(which, element, -h);
      const double mean = (up.value + down.value) / 2, noise = up.noise + down.noise;
      const double size = std::max(std::abs(mean), std::abs(gradient));
      if (!std::isfinite(Scalar(mean))) continue;
      if (noise > 0.25 * size + std::numeric_limits<Scalar>::min()) break;
      const double off = std::abs(mean - gradient);
      if (std::isfinite(gradient) && off <= 0.01 * size + noise) {
        ++counts_.compared;
        if (size > 0) counts_.difference = std::max(counts_.difference, off / size);
        return;
      }
      const auto [low, high] = std::minmax(up.value, down.value);
      measured = mean;
      kink = gradient >= low - noise && gradient <= high + noise;
    }
    if (!measured) {
      ++counts_.unclear;
    } else if (kink) {
      ++counts_.kinks;  // such as relu at 0: any slope between the two is right
    } else {
      ++counts_.compared, ++counts_.wrong;
      const double size = std::max(std::abs(*measured), std::abs(gradient));
      counts_.difference = std::max(counts_.difference, std::abs(*measured - gradient) / size);
      when_wrong_(in, which, element, gradient, *measured);
    }
  }

 private:
  // The op's inputs: leaves still hold theirs, and the ledger has the outputs of ops.
  bool find_inputs() {
    const Tensors& operands = node_.ledger->operands;
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
    there = Scalar(before + h);
    const double distance = there - before;
    const Slope found = slope(dY_, node_.recompute(xs_), at_, distance);
    xs_[which] = x;
    return found;
  }

  const Node& node_;
  const Tensor& dY_;
  Comparisons& counts_;
  const WhenWrong& when_wrong_;
  Tensors xs_;
  Tensor at_;  // the op's output for xs_
};

int64_t largest(const Tensor& x) {
  const auto smaller = [](Scalar a, Scalar b) { return std::abs(a) < std::abs(b); };
  return std::max_element(x.data(), x.data() + x.numel(), smaller) - x.data();
}

}

Tensor added(const Node& node, const Input& in) {
  Tensor sum;
  const auto& all = in.node->ledger->contributions;
  for (auto by = all.rbegin(); by != all.rend() && by->number == node.number; ++by)
    if (by->input == &in) accumulate(sum, by->gradient);
  return sum;
}

void compare_backward(const Node& node, const Tensor& dY, Comparisons& counts, const WhenWrong& when_wrong) {
  const NoGrad no_grad;
  Comparison comparison(node, dY, counts, when_wrong);
  if (!comparison.possible()) return;
  size_t which = 0;
  for (const Input* in = node.inputs; in; in = in->next, ++which) {
    if (!*in || in->node->pass.left_out || in->shape.numel() == 0) continue;
    const Tensor sum = added(node, *in);
    const auto gradient = [&](int64_t i) { return sum.defined() ? double{sum.data()[i]} : 0.; };
    const int64_t most = sum.defined() ? largest(sum) : 0;
    const int64_t any = node.number * 2654435761 % in->shape.numel();
    comparison.compare(*in, which, most, gradient(most));
    if (any != most) comparison.compare(*in, which, any, gradient(any));
  }
}

}
