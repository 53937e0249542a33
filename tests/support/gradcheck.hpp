#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/tensor/tensor.hpp"

namespace stepgrad {

using Tensors = std::vector<Tensor>;
using Function = std::function<Tensor(Tensors)>;

// Normal numbers in a leaf that requires a gradient. Those within 0.3 of a kink of the function
// that they are meant for are drawn again: a difference across a kink is not the derivative.
Tensor leaf(const Shape& shape, const std::vector<Scalar>& kinks = {});

// What is wrong with the gradients of f at these inputs, in one sentence; empty if they are right:
// for a random upstream gradient, backward() gives every element of every input that requires a
// gradient what central differences give, to 1e-6 of it. And the same bits come out when the tape
// is walked twice, when the inputs are outputs of ops and die with the call, and when only one of
// them requires a gradient. (A float has not the digits for differences: only bits are compared.)
// f may use the inputs through handles of its own, as a module does its parameters. It draws the
// same random numbers every time.
std::string gradient_error(const Function& f, const Tensors& inputs);

// CHECKs that nothing is wrong. `loc` is the caller's line.
void check_gradients(const Function& f, const Tensors& inputs, Loc loc);

// f of one, two or three tensors, or of all of them as Tensors, as a Function.
template <class F>
Function of_list(F f) {
  return [f](Tensors in) -> Tensor {
    if constexpr (std::is_invocable_v<F, Tensors>)
      return f(std::move(in));
    else if constexpr (std::is_invocable_v<F, Tensor>)
      return f(std::move(in.at(0)));
    else if constexpr (std::is_invocable_v<F, Tensor, Tensor>)
      return f(std::move(in.at(0)), std::move(in.at(1)));
    else
      return f(std::move(in.at(0)), std::move(in.at(1)), std::move(in.at(2)));
  };
}

// The same for such an f.
template <class F>
void gradcheck(F f, const Tensors& inputs, Loc loc = Loc::here()) {
  check_gradients(of_list(f), inputs, loc);
}

// How to call an op, at the head of its test, and how PyTorch computes the same of operands a, b,
// c, ...: each is checked as above and compared with PyTorch, and every_op_test names the ops that
// have none.
//
//   const OpExample example_of_exp("exp", exp, "a.exp()");  // of each element alone
//   const OpExample example_of_add("add", add, "a + b",
//                                  [] { return Tensors{leaf({2, 3}), leaf({3})}; });
struct OpExample {
  template <class F>
  OpExample(std::string op, F f, const char* torch, std::function<Tensors()> inputs)
      : op(std::move(op)), f(of_list(f)), torch(torch), inputs(std::move(inputs)) {
    all().push_back(*this);
  }
  template <class F>
  OpExample(std::string op, F f, const char* torch, std::initializer_list<Scalar> kinks = {})
      : op(std::move(op)), f(of_list(f)), torch(torch), of_each_element(true) {
    inputs = [kinks = std::vector(kinks)] { return Tensors{leaf({2, 3}, kinks)}; };
    all().push_back(*this);
  }
  static std::vector<OpExample>& all();

  std::string op;  // as its Formula says
  Function f;
  const char* torch;  // read by tests/golden/ops.py
  bool of_each_element = false;
  std::function<Tensors()> inputs;
};

}  // namespace stepgrad
