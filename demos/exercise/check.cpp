#include "demos/exercise/check.hpp"

#include <cmath>
#include <cstring>
#include <iostream>

#include "core/text_stream.hpp"
#include "core/watch/central_difference.hpp"

namespace stepgrad::exercise {
namespace {

constexpr int of_dY = 9;

// [1, 0, 2]
std::string index_of(int64_t element, const Shape& shape) {
  std::string text;
  for (int dim = shape.dims() - 1; dim >= 0; --dim) {
    text = std::to_string(element % shape[dim]) + (text.empty() ? "" : ", ") + text;
    element /= shape[dim];
  }
  return "[" + text + "]";
}

bool near(double a, double b, double tolerance = 1e-4) {
  return std::abs(a - b) <= tolerance * std::max({1., std::abs(a), std::abs(b)});
}

// The first element that is wrong, or -1.
int64_t first_wrong(const std::string& what, const Tensor& found, const Tensor& wanted) {
  if (!found.defined()) wrong(what + " is undefined");
  TextStream text;
  text << what << " has the shape " << found.shape() << " and should have " << wanted.shape();
  if (!(found.shape() == wanted.shape())) wrong(text.str());
  for (int64_t i = 0; i < found.numel(); ++i)
    if (!near(found.data()[i], wanted.data()[i])) return i;
  return -1;
}

std::string is_not(const std::string& what, const Tensor& found, const Tensor& wanted, int64_t i) {
  TextStream text;
  text << what << ": element " << index_of(i, found.shape()) << " is " << found.data()[i]
       << " and should be " << wanted.data()[i];
  return text.str();
}

struct Result {
  Tensor y;
  Tensors inputs;
};

// f and its gradients, if it has any, for dY = numbers(.., of_dY)
Result result_of(const Function& f, const Tensors& inputs) {
  Result result;
  for (const Tensor& input : inputs)
    result.inputs.push_back(input.clone().requires_grad_().set_name(input.name()));
  result.y = f(result.inputs);
  if (result.y.defined() && result.y.requires_grad())
    result.y.backward(numbers(result.y.shape(), of_dY));
  return result;
}

// The derivative of Σ dY∘f(inputs) by an element of an input, by central differences.
double slope(const Function& f, const Tensors& inputs, size_t input, int64_t element) {
  const NoGrad no_grad;
  return central_difference(inputs[input].data()[element], 1. / 64, [&] {
    const Tensor y = f(inputs);
    return sum(y * numbers(y.shape(), of_dY)).item();
  });
}

}  // namespace

void wrong(const std::string& sentence) { throw std::runtime_error(sentence); }

Tensor numbers(const Shape& shape, int seed) {
  Tensor x = Tensor::empty(shape);
  for (int64_t i = 0; i < x.numel(); ++i)
    x.data()[i] = Scalar(1.5 * std::sin(0.7 + 1.3 * double(i) + 2.1 * seed));
  return x;
}

void check_values(const std::string& what, const Tensor& found, const Tensor& wanted) {
  const int64_t i = first_wrong(what, found, wanted);
  if (i >= 0) wrong(is_not(what, found, wanted, i));
}

void compare(const std::string& what, const Function& f, const Function& wanted,
             const Tensors& inputs, const char* op) {
  const Result right = result_of(wanted, inputs);
  const Result found = [&] {
    try {
      return result_of(f, inputs);
    } catch (const std::exception& error) {
      wrong(what + ": " + error.what());
    }
  }();
  check_values(what, found.y, right.y);
  if (!found.y.requires_grad()) wrong(what + ": the result is not on the tape");
  if (op && std::strcmp(found.y.node()->op(), op) != 0)
    wrong(what + ": the result comes from " + found.y.node()->op() + ", and not from " + op);
  for (size_t k = 0; k < inputs.size(); ++k) {
    const std::string name(inputs[k].name()), gradient = what + ": the gradient of " + name;
    check_values(what + ": " + name + ", which was to stay", found.inputs[k].detach(), inputs[k]);
    const Tensor grad = found.inputs[k].grad(), should_be = right.inputs[k].grad();
    if (!grad.defined()) wrong(gradient + " has not arrived");
    const int64_t i = first_wrong(gradient, grad, should_be);
    if (i < 0) continue;
    const double confirmed = slope(wanted, inputs, k, i);
    TextStream text;
    text << is_not(gradient, grad, should_be, i);
    if (near(confirmed, should_be.data()[i], 1e-2))
      text << " (by central differences " << confirmed << ')';
    wrong(text.str());
  }
}

}  // namespace stepgrad::exercise

// NAME TOKEN: checks an exercise. The token, unknown to the student's part, precedes the result: a
// program that ends without it was not checked.
int main(int argc, char** argv) {
  if (argc != 3) return 2;
  using namespace stepgrad::exercise;
  std::vector<Check> checks = op_checks;
  checks.insert(checks.end(), model_checks.begin(), model_checks.end());
  for (const auto& [exercise, there, run] : checks) {
    if (std::strcmp(exercise, argv[1]) != 0) continue;
    std::string verdict = "right";
    try {
      if (!there) wrong("the function that the exercise asks for is not there");
      run();
    } catch (const std::exception& error) {
      verdict = std::string("not yet: ") + error.what();
    } catch (...) {
      verdict = "not yet: it throws something";
    }
    std::cout << '\n' << argv[2] << ' ' << verdict << std::endl;
  }
}
