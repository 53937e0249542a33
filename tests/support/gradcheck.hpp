#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/tensor/tensor.hpp"

namespace stepgrad {

using Shapes = std::vector<Shape>;
using Function = std::function<Tensor(Tensors)>;

// A leaf of normal random numbers that requires a gradient. Values within 0.3 of a kink of the
// tested function are redrawn: a difference across a kink is not the derivative.
Tensor leaf(const Shape& shape, const std::vector<Scalar>& kinks = {});

// A leaf of these numbers that requires a gradient.
inline Tensor parameter(const Nested& values) { return Tensor::of(values).requires_grad_(); }

// Checks the gradients of f at these inputs; returns what is wrong in one sentence, or "". For a
// random upstream gradient, backward() must match central differences within 1e-6 (relative), for
// every element of every input that requires a gradient; so must the gradient that create_graph
// records, but for rounding. Gradients must also be bitwise equal when the tape is walked twice,
// when the inputs are outputs of ops and die with the call, and when only one of them requires a
// gradient. (The float build does only the bitwise checks: float is too imprecise for differences.)
// f may capture the inputs, as a module holds its parameters. It draws the same random numbers
// every time.
std::string gradient_error(const Function& f, const Tensors& inputs);

// CHECKs that gradient_error() is empty. `loc` is the caller's line.
void check_gradients(const Function& f, const Tensors& inputs, Loc loc);

// Wraps f as a Function; f takes one to three tensors, or Tensors.
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

// check_gradients() for any f that of_list() accepts.
void gradcheck(auto f, const Tensors& inputs, Loc loc = Loc::here()) { check_gradients(of_list(f), inputs, loc); }

// How to call an op, and how PyTorch computes it from operands a, b, c, ...; it stands at the head
// of the op's test. Each example is checked as above and compared with PyTorch. every_op_test fails
// for an op without an example.
//
//   const OpExample of_exp("exp", exp, "a.exp()");  // of each element alone
//   const OpExample of_add("add", add, "a + b", Shapes{{2, 3}, {3}});  // of leaves
//
// Other operands come from a function that returns Tensors.
struct OpExample {
  OpExample(std::string op, auto f, const char* torch, std::function<Tensors()> inputs)
      : op(std::move(op)), f(of_list(f)), torch(torch), inputs(std::move(inputs)) {
    all().push_back(*this);
  }
  OpExample(std::string op, auto f, const char* torch, const Shapes& shapes)
      : OpExample(std::move(op), f, torch, [shapes] {
          Tensors leaves;
          for (const Shape& shape : shapes) leaves.push_back(leaf(shape));
          return leaves;
        }) {}
  OpExample(std::string op, auto f, const char* torch, std::initializer_list<Scalar> kinks = {})
      : op(std::move(op)), f(of_list(f)), torch(torch), of_each_element(true), kinks(kinks) {
    inputs = [kinks = this->kinks] { return Tensors{leaf({2, 3}, kinks)}; };
    all().push_back(*this);
  }
  static std::vector<OpExample>& all();
  bool differentiates_twice() const;

  std::string op;  // as its Formula says
  Function f;
  const char* torch;  // read by tests/golden/ops.py
  bool of_each_element = false;
  std::vector<Scalar> kinks;  // of one of each element
  std::function<Tensors()> inputs;
};

}
