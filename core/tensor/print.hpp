#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// PyTorch's options of printing.
struct Printing {
  int precision = 4;
  double threshold = 1000;  // tensors with more elements are summarized
  int64_t edgeitems = 3;    // at each end of a dimension in a summary
  int64_t linewidth = 80;
  std::optional<bool> sci_mode = {};
};
enum class Elements { floats, integers, booleans };

// tensor([...], SUFFIX, ...)
std::string text_of(
    const Tensor& x, Elements elements, const std::vector<std::string>& suffixes, const Printing& how = {});

}
