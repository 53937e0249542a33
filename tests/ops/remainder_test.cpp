#include "ops/remainder.hpp"

#include "tests/support/test.hpp"

const OpExample of_remainder("remainder", stepgrad::remainder, "a % b", [] {
  return Tensors{leaf({2, 3}), leaf({3}, {0})};
});
