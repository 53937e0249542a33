#include "nn/text/pad_sequence.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "core/tape/modes.hpp"
#include "ops/concat.hpp"
#include "ops/stack.hpp"

namespace stepgrad::nn {

Tensor pad_sequence(const std::vector<std::vector<int64_t>>& sequences, int64_t padding_value, Loc loc) {
  const OpCall call(loc);
  check<ValueError>(!sequences.empty(), "pad_sequence: no sequences");
  size_t longest = 0;
  for (const auto& sequence : sequences) longest = std::max(longest, sequence.size());
  const Tensor padded = Tensor::full({std::ssize(sequences), int64_t(longest)}, padding_value);
  Scalar* row = padded.data();
  for (const auto& sequence : sequences) {
    std::copy(sequence.begin(), sequence.end(), row);
    row += longest;
  }
  return padded;
}

Tensor pad_tensors(const Tensors& sequences, Scalar padding_value, Loc loc) {
  const OpCall call(loc);
  check<ValueError>(!sequences.empty(), "pad_sequence: no sequences");
  check_operands("pad_sequence", sequences);
  int64_t longest = 0;
  for (const Tensor& sequence : sequences) longest = std::max(longest, sequence.size(0));
  Tensors padded;
  for (const Tensor& sequence : sequences) {
    const Shape rest = sequence.shape().with(0, longest - sequence.size(0));
    padded.push_back(concat({sequence, Tensor::full(rest, padding_value).set_kind(sequence.kind())}));
  }
  return stack(padded);
}

}
