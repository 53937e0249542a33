#include "nn/pad_sequence.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace stepgrad::nn {

Tensor pad_sequence(const std::vector<std::vector<int64_t>>& sequences, int64_t padding_value) {
  check<ValueError>(!sequences.empty(), "pad_sequence: no sequences");
  size_t longest = 0;
  for (const auto& sequence : sequences) longest = std::max(longest, sequence.size());
  const Tensor padded =
      Tensor::full({static_cast<int64_t>(sequences.size()), static_cast<int64_t>(longest)},
                   static_cast<Scalar>(padding_value));
  Scalar* row = padded.data();
  for (const auto& sequence : sequences) {
    std::copy(sequence.begin(), sequence.end(), row);
    row += longest;
  }
  return padded;
}

}  // namespace stepgrad::nn
