#pragma once

#include <functional>

#include "core/tape/node.hpp"

// Compares an op's backward function with central differences of the op itself, for paranoid mode.
namespace stepgrad {

struct Comparisons {  // in elements
  int64_t compared = 0, kinks = 0, unclear = 0, wrong = 0;
  double difference = 0;  // the largest, relative to the larger of both
};

// Called for each wrong element: the input, its index among the node's inputs, the element's index,
// its gradient, and the central difference.
using WhenWrong =
    std::function<void(const Input& in, size_t which, int64_t element, double gradient, double difference)>;

// Call it right after the node's backward function has run on dY. For each input it checks the
// element with the largest gradient and one other. Counts nothing if the op has no recompute.
void compare_backward(const Node& node, const Tensor& dY, Comparisons& counts, const WhenWrong& when_wrong);

// The node's contribution to an input's gradient in the current pass. Undefined: none.
Tensor added(const Node& node, const Input& in);

}
