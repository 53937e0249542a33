#pragma once

#include <string>
#include <vector>

#include "core/tape/node.hpp"

namespace stepgrad {

// What the node's formula calls each of its inputs: as what is saved of it is called, or as its
// gradient is.
std::vector<std::string> letters_of(const Node& node);

}  // namespace stepgrad
