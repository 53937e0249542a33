#pragma once

#include <string>
#include <vector>

#include "core/tape/node.hpp"

namespace stepgrad {

// The letters of a node's inputs in its formula: those of saved tensors, or of gradients.
std::vector<std::string> letters_of(const Node& node);

}
