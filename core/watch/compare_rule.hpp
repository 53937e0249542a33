#pragma once

#include <functional>

#include "core/tape/node.hpp"

// How paranoid mode compares an op's rule with central differences of the op itself.
namespace stepgrad {

struct Comparisons {  // in elements
  int64_t compared = 0, kinks = 0, unclear = 0, wrong = 0;
  double difference = 0;  // the largest, relative to the larger of both
};

// Called for each wrong element: the input, its place among the node's, the element, its gradient,
// and the central difference.
using WhenWrong = std::function<void(const Input& in, size_t which, int64_t element,
                                     double gradient, double difference)>;

// Looks, for each input of a node whose gradient has just run on dY, at the element with the
// largest gradient and at another one. Counts nothing where the op can't be computed once more.
void compare_rule(const Node& node, const Tensor& dY, Comparisons& counts,
                  const WhenWrong& when_wrong);

// What the node, in the pass that is here, has added to the gradient of an input. Undefined if
// nothing.
Tensor added(const Node& node, const Input& in);

}  // namespace stepgrad
