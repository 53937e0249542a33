#pragma once

#include <vector>

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// x cut along `dim`, as torch.split and torch.chunk: into parts of `size`, the last one maybe
// smaller; of these sizes; or into at most so many parts of one size. Along dimension 0 they share
// x's memory. IndexError; ValueError: a size or number that is not positive, or sizes that do not
// add up to x's.
std::vector<Tensor> split(Arg x, int64_t size, int dim = 0);
std::vector<Tensor> split(Arg x, const std::vector<int64_t>& sizes, int dim = 0);
std::vector<Tensor> chunk(Arg x, int64_t chunks, int dim = 0);

}  // namespace stepgrad
