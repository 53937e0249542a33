#pragma once

#include "core/tensor/tensor.hpp"

// The transformer demo's steps about attention, one cell each.
namespace stepgrad::demo {

constexpr int64_t d_hidn = 128, n_seq = 64, n_head = 2, d_head = 64;

// The results that later steps need.
struct Sentences {
  Tensor inputs;  // [2, n], ids
  int64_t n_vocab;
};

// input_sums: [2, n, d_hidn]. std::logic_error: a masked probability is not exactly 0.
void scaled_dot_product(const Sentences& sentences, const Tensor& input_sums);
void multi_head(const Sentences& sentences, const Tensor& input_sums);

// Returns the attention's output: [2, n, d_hidn].
Tensor masked_multi_head(const Sentences& sentences, const Tensor& input_sums);

}
