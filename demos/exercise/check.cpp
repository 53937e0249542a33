#include "demos/exercise/check.hpp"

#include <cmath>
#include <iostream>

#include "core/text_stream.hpp"
#include "demos/parts/said.hpp"

namespace stepgrad::exercise {
namespace {

struct Named {
  const char* name;
  void (*check)();
};

std::vector<Named>& all() {
  static std::vector<Named> exercises;
  return exercises;
}

[[noreturn]] void wrong(const std::string& sentence) { throw std::runtime_error(sentence); }

// [1, 0, 2]
std::string index_of(int64_t element, const Shape& shape) {
  std::string text;
  for (int dim = shape.dims() - 1; dim >= 0; --dim) {
    text = std::to_string(element % shape[dim]) + (text.empty() ? "" : ", ") + text;
    element /= shape[dim];
  }
  return "[" + text + "]";
}

bool near(double a, double b) {
  return std::abs(a - b) <= 1e-5 * std::max({1., std::abs(a), std::abs(b)});
}

std::string is_not(const std::string& what, const Shape& shape, int64_t element, double found,
                   double wanted) {
  TextStream text;
  text << what << ": element " << index_of(element, shape) << " is " << found << " and should be "
       << wanted;
  return text.str();
}

}  // namespace

void check_shape(const std::string& what, const Tensor& found, const Shape& wanted) {
  if (!found.defined()) wrong(what + " is undefined");
  TextStream text;
  text << what << " has the shape " << found.shape() << " and should have " << wanted;
  if (!(found.shape() == wanted)) wrong(text.str());
}

void check_values(const std::string& what, const Tensor& found, const Tensor& wanted) {
  check_shape(what, found, wanted.shape());
  for (int64_t i = 0; i < found.numel(); ++i) {
    const double a = found.data()[i], b = wanted.data()[i];
    if (!near(a, b)) wrong(is_not(what, found.shape(), i, a, b));
  }
}

void check_gradients(const std::string& what, const std::function<Tensor(const Tensors&)>& f,
                     const Tensors& inputs) {
  constexpr double h = 1e-6;
  Tensors leaves;
  for (const Tensor& input : inputs) leaves.push_back(input.clone().requires_grad_());
  const Tensor y = f(leaves);
  const Tensor dY = Tensor::randn(y.shape());
  if (!y.requires_grad()) wrong(what + ": its result is not on the tape");
  y.backward(dY);
  const NoGrad no_grad;
  for (size_t k = 0; k < leaves.size(); ++k) {
    const std::string name = "the gradient of " + what + " for input " + std::to_string(k + 1);
    const Tensor grad = leaves[k].grad();
    if (!grad.defined()) wrong(name + " has not arrived: add_grad() was not called");
    check_shape(name, grad, leaves[k].shape());
    for (int64_t i = 0; i < leaves[k].numel(); ++i) {
      Scalar& x = leaves[k].data()[i];
      const Scalar before = x;
      x = before + h;
      const double above = sum(f(leaves) * dY).item();
      x = before - h;
      const double below = sum(f(leaves) * dY).item();
      x = before;
      const double wanted = (above - below) / (2 * h);
      if (!near(grad.data()[i], wanted))
        wrong(is_not(name, grad.shape(), i, grad.data()[i], wanted) + " by central differences");
    }
  }
}

Exercise::Exercise(const char* name, void (*check)()) { all().push_back({name, check}); }

}  // namespace stepgrad::exercise

int main() {
  bool right = true;
  for (const auto& [name, check] : all()) {
    try {
      manual_seed(0);
      check();
      std::cout << name << ": right\n";
    } catch (const std::exception& error) {
      std::cout << name << ": not yet: " << error.what() << ".\n";
      right = false;
    }
  }
  return demo::said(right ? 0 : 1, "exercise");
}
