#pragma once

#include "demos/exercise/exercise.hpp"

// Helpers of the checks. Each throws one sentence about the first error.
namespace stepgrad::exercise {

// Unequal numbers between -1.5 and 1.5, the same ones on any machine.
Tensor numbers(const Shape& shape, int seed = 0);
inline Tensor named(const char* name, const Shape& shape, int seed) {
  return numbers(shape, seed).set_name(name);
}

void check_values(const std::string& what, const Tensor& found, const Tensor& wanted);

using Function = std::function<Tensor(const Tensors&)>;

// Compares f and its gradients for these inputs with those of `wanted`, the engine's own. `op`: the
// node's expected name, if f is an op.
void compare(const std::string& what, const Function& f, const Function& wanted,
             const Tensors& inputs, const char* op = nullptr);

template <class... Args>  // op as a Function
Function of(Tensor (*op)(Args...)) {
  return [op](const Tensors& in) {
    return [&]<size_t... i>(std::index_sequence<i...>) { return op(in[i]...); }
    (std::index_sequence_for<Args...>());
  };
}

[[noreturn]] void wrong(const std::string& sentence);

struct Check {
  const char* exercise;
  bool there;  // whether the program has the function
  void (*run)();
};
extern const std::vector<Check> op_checks, model_checks;

}  // namespace stepgrad::exercise
