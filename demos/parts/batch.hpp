#pragma once

#include "core/tensor/tensor.hpp"
#include "demos/parts/text.hpp"

namespace stepgrad::demo {

// B pieces of a text and their next characters, as character ids.
struct Batch {
  Tensor ids, targets;
};

// The `context` characters before each position, and the one there.       [B, context], [B]
Batch batch_before(const Text& text, const std::vector<int64_t>& positions, int64_t context);

// The `context` characters from each start on, and those shifted by one.  [B, context] both
Batch batch_from(const Text& text, const std::vector<int64_t>& starts, int64_t context);

// n of them, each in [from, to): one random tensor.
std::vector<int64_t> random_positions(int64_t n, int64_t from, int64_t to);

}
