#include "tests/support/test.hpp"

const OpExample of_maximum("maximum", maximum, "torch.maximum(a, b)", [] {
  return Tensors{parameter({{1, 5, 2}, {0, 3, 9}}), parameter({2, 4, 7})};
});
