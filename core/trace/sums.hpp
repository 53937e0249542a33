#pragma once

#include <string>
#include <vector>

#include "core/tape/node.hpp"

namespace stepgrad {

// Which cells an element of an op's output is computed from: a letter for each dimension of each
// input and, last, of the output. With {"ik", "kj", "ij"}, Y[i, j] is computed from A[i, k] and
// B[k, j] for all k. '1': its size is 1. '|': all along it, also for an element of this input's
// gradient. Empty: unknown.
std::vector<std::string> cells_of(const Node& node);

// Whether the op is a sum, as einsum writes it, over letters of several sizes.
bool is_sum(const Formula& formula);

}
