#pragma once

#include <concepts>
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

// How an op is recomputed.
struct Recompute {
  using Function = Tensor (*)(Inputs x, const Attributes& of);

  constexpr Recompute() = default;
  template <std::convertible_to<Function> F>
  constexpr Recompute(F f) : function(f) {}
  Tensor operator()(Inputs x, const Attributes& of) const { return function(x, of); }
  explicit operator bool() const { return function; }

  Function function = nullptr;
  bool of_each_element = false;  // Y[i] is computed from X[i] alone, or from A[i] and B[i]
  Tensor (*op)(Arg) = nullptr;   // the op, if its only argument is one tensor
};

// What pages and recordings ask of an op besides its formula. An op that computes each element from
// the same element of its inputs, by a smooth function, says nothing.
struct Traits {
  // Where the pieces of a piecewise function meet: a kink, or a jump if the op has no gradient.
  //   "X > 0"              where both sides are equal: inputs, outputs, attributes or numbers
  //   "X >= lo, X <= hi"   at either
  //   "whole X", "half X"  at whole numbers but 0; at halves
  //   "max X"              where the largest along the attribute dim equals another
  //   "X[I]"               likewise of the number that index I chooses
  //   "X where Y"          likewise of those that mask Y chooses, along the last dimension
  const char* pieces = "";

  // Which cells an element is computed from. A sum of products is written as for einsum:
  // "...k,kn->...n" is Y[.., n] = Σ_k A[.., k]·B[k, n]; with `pieces`, its terms are no plain
  // products. '|' is a dimension of which another function takes all: "...|->...n" for softmax.
  // "dim" and "summed": all along the attribute dim, or where the attribute summed is 1.
  // "order": dimension i of Y is dimension order[i] of X.
  const char* sums = "";

  bool moves = false;       // it copies elements, without arithmetic
  bool rounds = false;      // central differences do not give its slope
  bool cuts = false;        // the loss follows X through it, and the gradient does not
  const char* mask = "";    // the input that is a mask, or indices; ids are data
  const char* packed = "";  // a saved tensor in an order of the kernel's own
};

// What an op computes, as tapes, debuggers and pages print it.
struct Formula {
  constexpr Formula(const char* name, const char* y, const char* gradients, Recompute by = {},
      Kind kind = Kind::integer, Traits its = {}, const char* source = __builtin_FILE())
      : op(name), forward(y), gradient(gradients), file(source), recompute(by), of_integers(kind), traits(its) {}
  constexpr Formula(const char* name, const char* y, const char* gradients, Recompute by, Traits its,
      const char* source = __builtin_FILE())
      : Formula(name, y, gradients, by, Kind::integer, its, source) {}

  const char* op;        // matmul
  const char* forward;   // Y = A·B
  const char* gradient;  // dA = dY·Bᵀ   dB = Aᵀ·dY
  const char* file;      // where it is written

  // Computes Y again, from other inputs. Random numbers are drawn again by their counter. None if
  // that is impossible: a user's own function, or a kernel that keeps more than its inputs.
  Recompute recompute;
  Kind of_integers;  // the result's Kind for integer inputs; exp: floating
  Traits traits;
};

// The recompute of an op whose only arguments are tensors: of_two<matmul>; of_each<exp>() or
// of_each<mul>() if it works element by element.
template <Tensor (*op)(Arg, Arg)>
Tensor of_two(Inputs x, const Attributes&) {
  return op(x[0], x[1]);
}
constexpr Recompute of_each(Recompute::Function function) {
  Recompute found = function;
  found.of_each_element = true;
  return found;
}
template <Tensor (*op)(Arg)>
constexpr Recompute of_each() {
  Recompute found = of_each([](Inputs x, const Attributes&) { return op(x[0]); });
  found.op = op;
  return found;
}
template <Tensor (*op)(Arg, Arg)>
constexpr Recompute of_each() {
  return of_each(of_two<op>);
}

// The formulas of all ops that the program contains a record() of, sorted by name.
std::vector<const Formula*> all_formulas();

// The formula of the op with this name, or null.
const Formula* formula_named(std::string_view op);

// An entry in that list. Every op that calls record() registers one before main().
struct KnownFormula {
  explicit KnownFormula(const Formula& formula);
  const Formula& formula;
  const KnownFormula* const next;
};
template <class N>
inline const KnownFormula known_formula{N::formula};

}
