#include "nn/poswise_feed_forward_net.hpp"

#include "core/check.hpp"

namespace stepgrad::nn {

PoswiseFeedForwardNet::PoswiseFeedForwardNet(int64_t d_hidn, Activation active, OpCall)
    : conv1(d_hidn, d_hidn * 4, 1), conv2(d_hidn * 4, d_hidn, 1), active(active) {
  name_parameters();
}

Tensor PoswiseFeedForwardNet::forward(Tensor inputs) {
  check<ShapeError>(inputs.dim() == 3, "PoswiseFeedForwardNet: ", inputs.shape(), " is not [batch, n, d_hidn]");
  // [batch, d_ff, n]
  Tensor output = active(conv1(inputs.transpose(1, 2)));
  // [batch, n, d_hidn]
  return conv2(output).transpose(1, 2);
}

}
