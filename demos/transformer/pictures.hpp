#pragma once

#include "core/tensor/tensor.hpp"
#include "demos/parts/picture.hpp"

namespace stepgrad::demo {

// position_table.png: the table's number for each position and depth.      table: [n_seq, d_hidn]
void draw_position_table(const Pictures& pictures, const Tensor& table);

// NAME.svg: attention maps of one sentence, one per head, on one colour scale.
// attn_prob: [n_head, n, n]   pieces: n subword tokens, padding included
void draw_attention(const Pictures& pictures, const std::string& name, const std::string& title,
                    const Tensor& attn_prob, const std::vector<std::string>& pieces);

}  // namespace stepgrad::demo
