// Every module of a Transformer against PyTorch: values and the inputs' gradients, and values in
// evaluation. every_module_test.cpp has the parameters' gradients.
#include "nn/nn.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/test.hpp"

namespace {

constexpr double module_tolerance = 5e-6;

// forward(module, x) makes a list of outputs, of the first of which the gradients are; x: a tensor
// of each shape.
void check_golden(const std::string& name, auto module, const std::vector<Shape>& shapes, auto forward) {
  Golden torch("nn/" + name, module_tolerance);
  std::map<std::string, Tensor> parameters;  // in the order of their names
  for (const auto& [name, p] : module.named_parameters()) {
    parameters[name] = p;
  }
  for (const auto& [name, p] : parameters) {
    const NoGrad no_grad;
    p.copy_(drawn(p.shape()) / 2);
  }
  Tensors x;
  for (const Shape& shape : shapes) x.push_back(drawn(shape).requires_grad_());

  const Tensors y = forward(module, x);
  for (const Tensor& each : y) torch.next("output", each);
  y[0].backward(drawn(y[0].shape()));
  for (const Tensor& each : x) torch.next("an input's gradient", each.grad());
  module.eval();
  torch.next("output in evaluation", forward(module, x)[0]);
  torch.ends();
}

template <class Module>
void check_golden(const std::string& name, Module module) {
  check_golden(
      name, std::move(module), {{2, 3, 2}}, [](Module& module, const auto& x) { return Tensors{module(x[0])}; });
}

// Of five keys the first sequence's last two are padding; the second one's last query sees none.
const Tensor pad = Tensor::of(
    {{{0, 0, 0, 1, 1}, {0, 0, 0, 1, 1}, {0, 0, 0, 1, 1}}, {{0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, {1, 1, 1, 1, 1}}});

}

TEST_CASE("The notebook's feed-forward gives PyTorch's values and gradients") {
  check_golden("positionwise_feed_forward", nn::PositionwiseFeedForward(2, 5));
  check_golden("positionwise_feed_forward without bias", nn::PositionwiseFeedForward(2, 5, Scalar(0.1), false));
}

TEST_CASE("Feed-forwards with ReLU, GELU and gates give PyTorch's values and gradients") {
  check_golden("feed_forward", nn::FeedForward(2, 5));
  check_golden("feed_forward_gelu", nn::FeedForwardGELU(2, 5));
  check_golden("gated_feed_forward", nn::GatedFeedForward(2, 5));
  check_golden("swiglu", nn::SwiGLU(2, 5));
}

TEST_CASE("A dense mixture of experts gives PyTorch's values and gradients") {
  check_golden("moe", nn::MoEFeedForward(2, 3, 3));
}

TEST_CASE("A sparse mixture of experts equals a dense one with zeroed gates") {
  const auto with_balance = [](nn::SparseMoEFeedForward& moe, const auto& x) {
    const auto [output, balance_loss, usage] = moe(x[0]);
    return Tensors{output + balance_loss};
  };
  check_golden("sparse_moe_top1", nn::SparseMoEFeedForward(2, 3, 4, 1, 0), {{2, 3, 2}}, with_balance);
  check_golden("sparse_moe_top2", nn::SparseMoEFeedForward(2, 3, 4, 2, 0), {{2, 3, 2}}, with_balance);
}

TEST_CASE("The adaptive feed-forward gives PyTorch's values and gradients, cut or with a ramp") {
  check_golden("adaptive", nn::AdaptiveFeedForward(2, 8));
  check_golden("adaptive_ramp", nn::AdaptiveFeedForward(2, 8, 4));
}

TEST_CASE("Attention of three queries to five keys gives PyTorch's values and gradients") {
  check_golden("multi_head_attention", nn::MultiHeadAttention(2, 2, 3), {{2, 3, 2}, {2, 5, 2}, {2, 5, 2}},
      [](auto& attention, const auto& x) {
        const auto [output, attn_prob] = attention(x[0], x[1], x[2], pad);
        return Tensors{output, attn_prob};
      });
}

TEST_CASE("A Transformer block gives PyTorch's values and gradients") {
  const Tensor causal = Tensor::ones({1, 3, 3}).triu(1);
  check_golden("transformer_block", nn::TransformerBlock(4, 2, 3), {{2, 3, 4}},
      [&](nn::TransformerBlock& block, const auto& x) { return Tensors{block(x[0], causal)}; });
}

TEST_CASE("The feed-forward of convolutions gives PyTorch's values and gradients") {
  check_golden("poswise_feed_forward_net", nn::PoswiseFeedForwardNet(2));
}

TEST_CASE("A mixed-precision feed-forward gives the values and gradients of PyTorch's rounding") {
  check_golden("mixed_precision_ffn", nn::MixedPrecisionFFN(2, 5));
  check_golden("mixed_precision_ffn_bfloat16", nn::MixedPrecisionFFN(2, 5, Scalar(0.1), bfloat16));
}

TEST_CASE("Word and position embeddings give PyTorch's values and gradients") {
  Golden torch("nn/embedding", module_tolerance);
  const Tensor ids = Tensor::of({{3, 6, 1, 0}, {3, 3, 0, 5}});  // 0 is padding
  const nn::Embedding words = nn::Embedding::from_pretrained(drawn({7, 6}), false);
  nn::PositionEmbedding positions(8, 6);
  const Tensor y = words(ids) + positions(ids);
  torch.next("y", y);
  y.backward(drawn(y.shape()));
  torch.next("gradient of the words", words.weight.grad());
  torch.next("table of positions", positions.nn_pos.weight);
  torch.ends();
}
