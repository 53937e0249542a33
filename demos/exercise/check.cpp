#include "demos/exercise/check.hpp"

#include <cmath>

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

// Not infinite unless it should be: the tolerance depends on the right value alone.
bool near(double found, double wanted, double tolerance = 1e-4) {
  return found == wanted ||
         (std::isfinite(wanted) &&
          std::abs(found - wanted) <= tolerance * std::max(1., std::abs(wanted)));
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

bool equal(const Tensor& a, const Tensor& b, double factor = 1) {
  for (int64_t i = 0; i < a.numel(); ++i)
    if (!near(a.data()[i], factor * b.data()[i])) return false;
  return true;
}

// Which mistake gives these wrong values, or by which factor all of them are off, if any.
std::string typical(const Tensor& found, const Tensor& wanted, const std::vector<Mistake>& mistakes,
                    const std::function<Tensor(const Function&)>& given_by) {
  for (const Mistake& mistake : mistakes) try {
      const Tensor given = given_by(mistake.f);
      if (given.defined() && given.shape() == found.shape() && equal(given, found))
        return std::string("; this is what you get ") + mistake.how;
    } catch (const std::exception&) {  // not for inputs of these shapes
    }
  int64_t largest = 0;
  for (int64_t i = 0; i < wanted.numel(); ++i)
    if (std::abs(wanted.data()[i]) > std::abs(wanted.data()[largest])) largest = i;
  const double factor = found.data()[largest] / wanted.data()[largest];
  TextStream text;
  text << "; each element is " << factor << " times what it should be";
  const bool all = found.numel() > 1 && std::isfinite(factor) && equal(found, wanted, factor);
  return all && factor != 0 ? text.str() : "";
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

void check_values(const std::string& what, const Tensor& found, const Tensor& wanted,
                  const std::vector<Mistake>& mistakes) {
  const int64_t i = first_wrong(what, found, wanted);
  if (i >= 0)
    wrong(is_not(what, found, wanted, i) +
          typical(found, wanted, mistakes, [](const Function& f) { return f({}); }));
}

void compare(const std::string& what, const Function& f, const Function& wanted,
             const Tensors& inputs, const char* op, const std::vector<Mistake>& mistakes) {
  part([&] {
    const Result right = result_of(wanted, inputs);
    Result found;  // in the student's program alone
    const Tensor y = answer([&] {
      try {
        found = result_of(f, inputs);
      } catch (const std::exception& error) {
        wrong(what + ": " + error.what());
      }
      return found.y;
    });
    std::vector<Mistake> given;
    for (const Mistake& mistake : mistakes)
      given.push_back({mistake.how, [&](const Tensors&) { return mistake.f(inputs); }});
    check_values(what, y, right.y, given);
    const std::string from = answer_text(
        [&] { return std::string(found.y.requires_grad() ? found.y.node()->op() : ""); });
    if (from.empty()) wrong(what + ": the result is not on the tape");
    if (op && from != op) wrong(what + ": the result comes from " + from + ", and not from " + op);
    for (size_t k = 0; k < inputs.size(); ++k) {
      const std::string name(inputs[k].name()), gradient = what + ": the gradient of " + name;
      check_values(what + ": " + name + ", which was to stay",
                   answer([&] { return found.inputs[k].detach(); }), inputs[k]);
      const Tensor grad = answer([&] { return found.inputs[k].grad(); });
      const Tensor should_be = right.inputs[k].grad();
      if (!grad.defined()) wrong(gradient + " has not arrived");
      const int64_t i = first_wrong(gradient, grad, should_be);
      if (i < 0) continue;
      const double confirmed = slope(wanted, inputs, k, i);
      TextStream text;
      text << is_not(gradient, grad, should_be, i);
      if (near(confirmed, should_be.data()[i], 1e-2))
        text << " (by central differences " << confirmed << ')';
      wrong(text.str() + typical(grad, should_be, mistakes, [&](const Function& mistake) {
              return result_of(mistake, inputs).inputs[k].grad();
            }));
    }
  });
}

}  // namespace stepgrad::exercise
