#pragma once

#include "nn/embedding.hpp"

namespace stepgrad::nn {

// Row `position` alternates sin and cos of slower and slower waves (Vaswani et al. 2017, 3.5):
//   table[position, 2i] = sin(position / 10000^(2i/d_hidn))     table[position, 2i + 1] = cos(same)
// Result: [n_seq, d_hidn]. ValueError: a size that is not positive.
Tensor get_sinusoid_encoding_table(int64_t n_seq, int64_t d_hidn, Loc loc = Loc::here());

// 1, 2, .. along each sequence, and 0 for padding.        inputs, result: [batch, n]
Tensor get_positions(const Tensor& inputs, int64_t i_pad = 0, Loc loc = Loc::here());

// The frozen table's rows at the positions of ids. Padding gets row 0.
//   inputs: [batch, n], ids   result: [batch, n, d_hidn]
struct PositionEmbedding : Module<PositionEmbedding> {
  // For sequences of up to n_seq ids. ValueError: a size that is not positive.
  PositionEmbedding(int64_t n_seq, int64_t d_hidn, int64_t i_pad = 0, OpCall = Loc::here());

  Tensor forward(Tensor inputs);  // ShapeError: not [batch, n], or longer than n_seq

  void parts(auto visit) { visit("nn_pos", nn_pos); }

  int64_t n_seq, i_pad;
  Embedding nn_pos;
};

}
