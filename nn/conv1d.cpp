#include "nn/conv1d.hpp"

#include <cmath>

#include "core/check.hpp"
#include "nn/init.hpp"
#include "ops/add.hpp"
#include "ops/matmul.hpp"

namespace stepgrad::nn {

Conv1d::Conv1d(int64_t in_channels, int64_t out_channels, int64_t kernel_size, OpCall) {
  check<ValueError>(in_channels > 0 && out_channels > 0, "Conv1d: in_channels ", in_channels, " and out_channels ",
      out_channels, " must be positive");
  check<ValueError>(kernel_size == 1, "Conv1d: kernel_size ", kernel_size, " is not 1");
  const Scalar bound = 1 / std::sqrt(Scalar(in_channels));
  weight = uniform_(Tensor::empty({out_channels, in_channels, 1}), -bound, bound);
  bias = uniform_(Tensor::empty({out_channels}), -bound, bound);
  weight.requires_grad_(), bias.requires_grad_();
  name_parameters();
}

std::string Conv1d::extra_repr() const {
  return text_of(weight.size(1), ", ", weight.size(0), ", kernel_size=(1,), stride=(1,)");
}

Tensor Conv1d::forward(Tensor x) {
  check<ShapeError>(
      x.dim() == 3 && x.size(1) == weight.size(1), "Conv1d: ", x.shape(), " is not [batch, ", weight.size(1), ", n]");
  return matmul(weight.squeeze(-1), x) + bias.unsqueeze(-1);  // [out, in]·[b, in, n]
}

}
