#pragma once

#include "core/tensor.hpp"

namespace stepgrad {

// An op that rounds every element to a narrower format and passes the gradient rounded likewise:
// bfloat16 or half.
using Cast = Tensor (*)(Arg);

// While one lives, this thread's matrix products are those of a narrower format, as under
// torch.autocast: matmul and linear round their operands and their result, and so in backward the
// gradients, while sums within a product, all other ops and the parameters stay in fp32.
//   const Autocast autocast(bfloat16);
class Autocast {
 public:
  explicit Autocast(Cast cast);  // null: none
  ~Autocast();
  Autocast(const Autocast&) = delete;
  static Cast current();  // null outside of any

 private:
  Cast before_;
};

// x, rounded if an Autocast lives.
Arg autocast(Arg x);

}  // namespace stepgrad
