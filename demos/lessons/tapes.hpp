#pragma once

#include "core/tensor/tensor.hpp"

// The lessons' tapes: each returns the loss of a small program.
namespace stepgrad::demo {

Tensor one_number();
Tensor chain();
Tensor tour();
Tensor used_twice();
Tensor own_tape();
Tensor gradient_check();
Tensor matmul_and_bias();
Tensor feed_forward();
Tensor dropout_and_relu();
Tensor zero_grad();
Tensor shares();
Tensor next_word();
Tensor attention();
Tensor block();
Tensor depth();
Tensor adam();
Tensor training();

}
