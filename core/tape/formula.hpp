#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/tensor/tensor.hpp"

// What an op says of itself: its formula, and how it is computed once more.
namespace stepgrad {

// A number or several that an op was called with: dim 1.
struct Attribute {
  const char* name;
  std::vector<double> values;
};

// All that an op was called with, but for its inputs.
struct Attributes : std::vector<Attribute> {
  using std::vector<Attribute>::vector;
  const std::vector<double>& all(std::string_view name) const;  // ValueError: there is none
  double operator()(std::string_view name) const { return all(name).at(0); }
};
using Inputs = std::span<const Tensor>;

// What an op computes, for the reader of a tape, a debugger or a picture.
struct Formula {
  const char* op;        // matmul
  const char* forward;   // Y = A·B
  const char* gradient;  // dA = dY·Bᵀ   dB = Aᵀ·dY

  // Y once more, from other inputs. Random numbers are drawn again by their counter. Null if the op
  // cannot do that: a function of the reader's own, or a kernel that keeps more than its inputs.
  Tensor (*recompute)(Inputs x, const Attributes& of) = nullptr;
  Kind of_integers = Kind::integer;  // what it makes of integers alone; of exp it is floating
  bool rounds = false;               // in steps: central differences do not tell its slope
};

// The recompute of an op that is called with its inputs and nothing else: of_one<neg>.
template <Tensor (*op)(Arg)>
Tensor of_one(Inputs x, const Attributes&) {
  return op(x[0]);
}
template <Tensor (*op)(Arg, Arg)>
Tensor of_two(Inputs x, const Attributes&) {
  return op(x[0], x[1]);
}

// Of the op of this name, if one was recorded anywhere in this program's text; else null.
const Formula* formula_named(std::string_view op);

// An entry of the list of all ops' formulas. Every op that calls record() has one, before main().
struct KnownFormula {
  explicit KnownFormula(const Formula& formula);
  const Formula& formula;
  const KnownFormula* const next;
};
template <class N>
inline const KnownFormula known_formula{N::formula};

}  // namespace stepgrad
