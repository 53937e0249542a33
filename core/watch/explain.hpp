#pragma once

#include <string>

#include "core/tape/node.hpp"

namespace stepgrad {

// A table of the contributions to x's gradient in the last backward pass, in the order of arrival:
// the consumer's op and line, the shape before and after un-broadcasting, the range and the
// numbers (of the first 200); then the sum of all, and the result of hooks. TapeError: x does not
// require a gradient, or no ledger was kept.
std::string explain(const Tensor& x, Loc loc = Loc::here());
std::string explain(const Node& node);

}
