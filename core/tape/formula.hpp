#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/tensor/tensor.hpp"

// What an op says of itself: its formula, and how to recompute it.
namespace stepgrad {

// An argument of an op that is not a tensor: dim 1.
struct Attribute {
  const char* name;
  std::vector<double> values;
};

// All arguments of an op that are not tensors.
struct Attributes : std::vector<Attribute> {
  using std::vector<Attribute>::vector;
  const std::vector<double>& all(std::string_view name) const;  // ValueError: there is none
  double operator()(std::string_view name) const { return all(name).at(0); }
};
using Inputs = std::span<const Tensor>;

// What an op computes, as tapes, debuggers and pages print it.
struct Formula {
  const char* op;        // matmul
  const char* forward;   // Y = A·B
  const char* gradient;  // dA = dY·Bᵀ   dB = Aᵀ·dY

  // Computes Y again, from other inputs. Random numbers are drawn again by their counter. Null if
  // that is impossible: a user's own function, or a kernel that keeps more than its inputs.
  Tensor (*recompute)(Inputs x, const Attributes& of) = nullptr;
  Kind of_integers = Kind::integer;  // the result's Kind for integer inputs; exp: floating
  bool rounds = false;               // a step function: central differences do not give its slope
};

// The recompute of an op whose only arguments are tensors: of_one<neg>.
template <Tensor (*op)(Arg)>
Tensor of_one(Inputs x, const Attributes&) {
  return op(x[0]);
}
template <Tensor (*op)(Arg, Arg)>
Tensor of_two(Inputs x, const Attributes&) {
  return op(x[0], x[1]);
}

// The formula of the op with this name, if the program contains a record() of it; else null.
const Formula* formula_named(std::string_view op);

// An entry in the list of formulas. Every op that calls record() registers one before main().
struct KnownFormula {
  explicit KnownFormula(const Formula& formula);
  const Formula& formula;
  const KnownFormula* const next;
};
template <class N>
inline const KnownFormula known_formula{N::formula};

}  // namespace stepgrad
