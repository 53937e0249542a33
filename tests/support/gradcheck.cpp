#include "tests/support/gradcheck.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

#include "core/check.hpp"
#include "core/tape/node.hpp"
#include "core/watch/central_difference.hpp"
#include "ops/ops.hpp"
#include "tests/support/expect.hpp"

namespace stepgrad {
namespace {

constexpr bool in_double = sizeof(Scalar) == sizeof(double);

// The error of a difference is h² from the function's curve and digits / h from rounding: this step
// makes their sum smallest, and it is some 1e-10 then.
constexpr double step = 1e-5;
constexpr double tolerance = 1e-6;
constexpr double smallest = 1e-2;  // what the error of a smaller gradient is held to

struct Wrong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

bool same_bits(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), a.numel() * sizeof(Scalar)) == 0;
}

class Gradcheck {
 public:
  Gradcheck(const Function& f, const Tensors& inputs) : f_(f), inputs_(inputs) {
    for (const Tensor& x : inputs) wanted_.push_back(x.requires_grad());
  }

  void run() {
    const Tensors before = copies();
    const Tensor y = forward(inputs_);
    what_ = description(y);
    check_inputs_are(before);
    y_ = y.copied();
    check<Wrong>(y.requires_grad(), what_, ": the result does not require a gradient");
    upstream_ = Tensor::randn(y.shape());
    const Tensors grads = gradients(y);
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (in_double && wanted_[i]) compare_with_differences(i, grads[i]);
    }
    check_recorded(grads);
    check_computed_inputs(y, grads);
    check_one_wanted_at_a_time(grads);
    check_inputs_are(before);
  }

 private:
  Tensor forward(Tensors in) const {
    set_random_state(random_);
    return f_(std::move(in));
  }

  Tensors copies() const {
    Tensors result;
    for (const Tensor& x : inputs_) result.push_back(x.copied());
    return result;
  }

  void check_inputs_are(const Tensors& before) const {
    for (size_t i = 0; i < inputs_.size(); ++i) {
      check<Wrong>(same_bits(before[i], inputs_[i]), what_, ": input ", i, " was written to");
    }
  }

  // The inputs as outputs of ops that nobody else holds: an op may take them over.
  Tensors computed() const {
    Tensors result;
    for (const Tensor& x : inputs_) {
      const Tensor y = x.dim() < 2 ? x.clone() : x.transpose(0, -1).transpose(0, -1);
      result.push_back(y.reshape({y.numel()}).reshape(y.shape()));
    }
    return result;
  }

  std::string description(const Tensor& y) const {
    std::ostringstream text;
    text << (y.node() ? y.node()->op() : "nothing recorded") << " of";
    for (const Tensor& x : inputs_) text << ' ' << x.shape();
    return text.str();
  }

  // Runs backward twice: the second pass uses the saved tensors after the first.
  Tensors gradients(const Tensor& y) const {
    y.backward(upstream_, true);
    Tensors grads;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const Tensor grad = inputs_[i].grad();
      check<Wrong>(grad.defined() == inputs_[i].requires_grad(), what_, ": input ", i,
          grad.defined() ? " got a gradient that it does not want" : " got no gradient");
      grads.push_back(grad.defined() ? grad.copied() : grad);
    }
    y.backward(upstream_);
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (!grads[i].defined()) continue;
      check<Wrong>(same_bits(inputs_[i].grad(), grads[i] + grads[i]), what_, ": the gradient of ", "input ", i,
          " is another one when the tape is walked again");
      inputs_[i].set_grad({});
    }
    return grads;
  }

  void compare_with_differences(size_t i, const Tensor& grad) const {
    check<Wrong>(grad.shape() == inputs_[i].shape(), what_, ": the gradient of input ", i, " is ", grad.shape());
    for (int64_t j = 0; j < grad.numel(); ++j) {
      const double ours = grad.data()[j], theirs = difference(inputs_[i].data()[j]);
      const double size = std::max(std::abs(theirs), smallest);  // ours may be infinite
      check<Wrong>(std::isfinite(theirs) && std::abs(ours - theirs) <= tolerance * size, what_,
          ": the gradient of input ", i, " at element ", j, " is ", ours, " by backward and ", theirs,
          " by central differences");
    }
  }

  // d(f·upstream) / dx, where x is an element of an input.
  double difference(Scalar& x) const {
    const NoGrad no_grad;
    return central_difference(x, step * std::max(1.0, std::abs(double{x})), [&] {
      const Tensor y = forward(inputs_);
      double sum = 0;  // of what changes in y: the sum of y itself would lose digits
      for (int64_t k = 0; k < y.numel(); ++k)
        sum += double{upstream_.data()[k]} * (double{y.data()[k]} - double{y_.data()[k]});
      return sum;
    });
  }

  // backward_by_ops() beside backward(), where all ops have it.
  void check_recorded(const Tensors& grads) const {
    const Tensor y = forward(inputs_);
    for (const Node* node : reachable(y))
      if (!node->has_second_gradient()) return;
    y.backward(upstream_, false, true);
    const NoGrad no_grad;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (!grads[i].defined()) continue;
      const Tensor grad = inputs_[i].grad();
      check<Wrong>(grad.shape() == grads[i].shape() && allclose(grad, grads[i], 1000 * epsilon, 1000 * epsilon), what_,
          ": the gradient of input ", i, " is another one when it is recorded");
      inputs_[i].set_grad({});
    }
  }

  void check_computed_inputs(const Tensor& y, const Tensors& grads) {
    check<Wrong>(same_bits(forward(computed()), y), what_, ": another value for computed inputs");
    check_same(gradients(forward(computed())), grads, "when the inputs are outputs of ops");
    const NoGrad no_grad;
    check<Wrong>(same_bits(forward(computed()), y), what_, ": another value under NoGrad");
  }

  void check_one_wanted_at_a_time(const Tensors& grads) {
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (!wanted_[i]) continue;
      for (const Tensor& x : inputs_) x.requires_grad_(x.is(inputs_[i]));
      check_same(gradients(forward(inputs_)), grads, "when it is the only one that wants one");
    }
    for (size_t i = 0; i < inputs_.size(); ++i) inputs_[i].requires_grad_(wanted_[i]);
  }

  void check_same(const Tensors& now, const Tensors& before, const char* when) const {
    for (size_t i = 0; i < now.size(); ++i) {
      check<Wrong>(!now[i].defined() || same_bits(now[i], before[i]), what_, ": the gradient of input ", i,
          " is another one ", when);
    }
  }

  const Function& f_;
  const Tensors inputs_;
  std::vector<bool> wanted_;
  const RandomState random_ = random_state();
  Tensor upstream_, y_;
  std::string what_;
};

}

Tensor leaf(const Shape& shape, const std::vector<Scalar>& kinks) {
  const Unshown unshown;  // a page would say that its numbers were read
  const Tensor x = Tensor::randn(shape);
  const auto near_a_kink = [&](Scalar value) {
    return std::any_of(kinks.begin(), kinks.end(), [&](Scalar kink) { return std::abs(value - kink) < Scalar(0.3); });
  };
  for (int64_t i = 0; i < x.numel(); ++i) {
    while (near_a_kink(x.data()[i])) x.data()[i] = Tensor::randn({}).item();
  }
  return x.requires_grad_();
}

std::string gradient_error(const Function& f, const Tensors& inputs) {
  try {
    Gradcheck(f, inputs).run();
  } catch (const Wrong& wrong) {
    return wrong.what();
  }
  return "";
}

void check_gradients(const Function& f, const Tensors& inputs, Loc loc) {
  INFO("gradcheck at " << loc);
  CHECK(gradient_error(f, inputs) == "");
}

std::vector<OpExample>& OpExample::all() {
  static std::vector<OpExample> examples;
  return examples;
}

bool OpExample::differentiates_twice() const {
  const Tensor y = f(inputs());
  const std::vector<Node*> nodes = reachable(y);
  return std::all_of(nodes.begin(), nodes.end(), [](const Node* node) { return node->has_second_gradient(); });
}

}
