#include "nn/relu.hpp"

#include "ops/clamp.hpp"

namespace stepgrad::nn {

Tensor ReLU::forward(Tensor x) {
  if (inplace) return x.clamp_(0);
  return clamp(x, 0);
}

}
