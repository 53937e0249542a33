#pragma once

#include <string>

#include "core/tensor/tensor.hpp"

namespace stepgrad::demo {

// A small SVG of the newest ops of a tape whose backward has run with the ledger on: above, from
// left to right, what each computed; below, from right to left, the gradient that arrived there.
std::string thumbnail(const Tensor& loss);

}
