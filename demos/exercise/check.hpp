#pragma once

#include "demos/exercise/exercise.hpp"

// Helpers of the checks. A check runs twice: first in the student's program, which writes down what
// the student's function returns; then in the judge, a program of ours that holds nothing of the
// student's. It reads what was written, and decides. Both draw the same inputs from one seed.
namespace stepgrad::exercise {

// What f returns. The student's program calls f and writes; the judge reads, and never calls f.
// What f throws is the error.
Tensor answer(const std::function<Tensor()>& f);
int64_t answer_number(const std::function<int64_t()>& f);
std::string answer_text(const std::function<std::string()>& f);

// A whole number from least to most, another one in each run.
int64_t draw(int64_t least, int64_t most);

// As many different numbers from least to most, in random order.
std::vector<int64_t> draw_sizes(size_t count, int64_t least = 2, int64_t most = 6);

// Ones and zeros; each row of the last dimension has a zero.
Tensor drawn_mask(const Shape& shape);

// Unequal numbers between -1.5 and 1.5, others in each run.
Tensor numbers(const Shape& shape, int seed = 0);
inline Tensor named(const char* name, const Shape& shape, int seed) {
  return numbers(shape, seed).set_name(name);
}

using Function = std::function<Tensor(const Tensors&)>;

// Functions with a typical mistake. A message says which one gives the student's wrong numbers.
struct Mistake {
  const char* how;  // "without the ReLU"
  Function f;
};

// Compares values. Throws one sentence about the first that is wrong.
void check_values(const std::string& what, const Tensor& found, const Tensor& wanted,
                  const std::vector<Mistake>& mistakes = {});
[[noreturn]] void wrong(const std::string& sentence);

// One of an exercise's parts, each of which counts.
void part(const std::function<void()>& body);

// A part: compares f, the student's, and its gradients for these inputs with those of `wanted`, the
// engine's own. `op`: the node's expected name, if f is an op.
void compare(const std::string& what, const Function& f, const Function& wanted,
             const Tensors& inputs, const char* op = nullptr,
             const std::vector<Mistake>& mistakes = {});

template <class... Args>  // op as a Function
Function of(Tensor (*op)(Args...)) {
  return [op](const Tensors& in) {
    return [&]<size_t... i>(std::index_sequence<i...>) { return op(in[i]...); }
    (std::index_sequence_for<Args...>());
  };
}

struct Check {
  const char* exercise;
  bool there;  // whether the program has the student's function
  void (*run)();
};
extern const std::vector<Check> op_checks, model_checks;

}  // namespace stepgrad::exercise
