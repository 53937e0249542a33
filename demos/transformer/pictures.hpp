#pragma once

#include "core/tensor/tensor.hpp"
#include "demos/parts/picture.hpp"

namespace stepgrad::demo {

// position_table.png: which number each position has at each depth.      table: [n_seq, d_hidn]
void draw_position_table(const Pictures& pictures, const Tensor& table);

// NAME.svg: where each piece of one sentence looks, a map for each head, all on one scale of
// colours.
//   attn_prob: [n_head, n, n]   pieces: n, those of padding among them
void draw_attention(const Pictures& pictures, const std::string& name, const std::string& title,
                    const Tensor& attn_prob, const std::vector<std::string>& pieces);

}  // namespace stepgrad::demo
