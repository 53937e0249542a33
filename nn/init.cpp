#include "nn/init.hpp"

#include <cmath>

#include "core/check.hpp"
#include "core/tape/modes.hpp"
#include "ops/add.hpp"
#include "ops/mul.hpp"

namespace stepgrad::nn {

Tensor uniform_(const Tensor& w, Scalar low, Scalar high, Loc loc) {
  const OpCall call(Arg(w, loc));
  const NoGrad no_grad;
  return w.copy_(rand_like(w) * (high - low) + low);
}

Tensor xavier_uniform_(const Tensor& w, Loc loc) {
  const OpCall call(Arg(w, loc));
  check<ShapeError>(w.dim() == 2, "xavier_uniform_: ", w.shape(), " is no matrix");
  const Scalar bound = std::sqrt(6 / Scalar(w.size(0) + w.size(1)));
  return uniform_(w, -bound, bound);
}

Tensor zeros_(const Tensor& w, Loc loc) {
  const OpCall call(Arg(w, loc));
  const NoGrad no_grad;
  return w.zero_();
}

}
