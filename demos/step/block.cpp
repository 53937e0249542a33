// A Transformer block that learns, to step through in a debugger: demos/run step --block
#include <iostream>

#include "nn/attention_masks.hpp"
#include "nn/sgd.hpp"
#include "nn/transformer_block.hpp"
#include "ops/ops.hpp"

using namespace stepgrad;

int main() {
  manual_seed(3);
  nn::TransformerBlock block(4, 1, 8, 0);
  nn::SGD optimizer(block.parameters(), 0.1f);
  Tensor x = Tensor::randn({1, 3, 4}).requires_grad_().set_name("x");
  Tensor target = Tensor::randn({1, 3, 4}).set_name("target");
  Tensor mask = nn::get_attn_decoder_mask(Tensor::ones({1, 3})).set_name("mask");

  Tensor error = block(x, mask) - target;
  Tensor loss = mean(error * error).set_name("loss");
  loss.backward();
  optimizer.step();
  std::cout << "norm2.bias = " << block.norm2.bias << '\n';
}
