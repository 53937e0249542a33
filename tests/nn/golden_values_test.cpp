// Every module of a Transformer against PyTorch: values and all gradients, in both modes.
#include "nn/nn.hpp"
#include "ops/ops.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"

using namespace stepgrad;

namespace {

constexpr double module_tolerance = 5e-6;

using Golden = std::map<std::string, Tensor>;

template <class Module>
void set_parameters(Module& module, const Golden& expected) {
  const NoGrad no_grad;
  for (const auto& [name, p] : module.named_parameters()) p.copy_(expected.at(name));
}

void check_gradient(const std::string& name, const Tensor& x, const Golden& expected) {
  INFO(name);
  const auto found = expected.find(name + ".grad");
  REQUIRE(x.grad().defined() == (found != expected.end()));
  if (x.grad().defined()) CHECK(difference(x.grad(), found->second) < module_tolerance);
}

// forward(leaves), a list of outputs, the first of which is what the gradients are of.
template <class Module, class Forward>
void check_golden(const std::string& file, Module module, Forward forward) {
  const Golden expected = golden(file);
  for (const std::string mode : {"train/", "eval/"}) {
    INFO(file << ' ' << mode);
    set_parameters(module, expected);
    module.train(mode == "train/");
    for (const auto& [name, p] : module.named_parameters()) p.set_grad({});
    std::vector<Tensor> x;
    for (int i = 0; expected.count("x" + std::to_string(i)); ++i) {
      x.push_back(expected.at("x" + std::to_string(i)).clone().requires_grad_());
    }
    manual_seed(7);
    const std::vector<Tensor> y = forward(module, x);
    CHECK(difference(y[0], expected.at(mode + "y")) < module_tolerance);
    for (size_t i = 1; i < y.size(); ++i) {
      CHECK(difference(y[i], expected.at(mode + "y" + std::to_string(i))) < module_tolerance);
    }
    y[0].backward(expected.at("dy"));
    for (size_t i = 0; i < x.size(); ++i) {
      check_gradient(mode + "x" + std::to_string(i), x[i], expected);
    }
    for (const auto& [name, p] : module.named_parameters()) {
      check_gradient(mode + name, p, expected);
    }
  }
}

template <class Module>
void check_golden(const std::string& file, Module module) {
  check_golden(file, std::move(module), [](Module& module, const std::vector<Tensor>& x) {
    return std::vector<Tensor>{module(x[0])};
  });
}

// A sublayer with the residual connection around it.
struct Around : nn::Module<Around> {
  Tensor forward(Tensor x) { return residual(std::move(x), sublayer); }
  template <class Visit>
  void parts(Visit visit) {
    visit("sublayer", sublayer), visit("residual", residual);
  }
  nn::Linear sublayer{4, 4};
  nn::ResidualConnection residual;
};

}  // namespace

TEST_CASE("Linear gives PyTorch's values and gradients") {
  check_golden("linear", nn::Linear(4, 5));
}

TEST_CASE("Feed-forwards with ReLU, GELU and gates give PyTorch's values and gradients") {
  check_golden("feed_forward", nn::FeedForward(4, 6));
  check_golden("feed_forward_gelu", nn::FeedForwardGELU(4, 6));
  check_golden("gated_feed_forward", nn::GatedFeedForward(4, 6));
  check_golden("swiglu", nn::SwiGLU(4, 6));
}

TEST_CASE("A dense mixture of experts gives PyTorch's values and gradients") {
  check_golden("moe", nn::MoEFeedForward(4, 6, 3));
}

TEST_CASE("A sparse mixture of experts gives what a dense one with zeroed gates gives") {
  const auto with_balance = [](nn::SparseMoEFeedForward& moe, const std::vector<Tensor>& x) {
    const auto [output, balance_loss, usage] = moe(x[0]);
    return std::vector<Tensor>{output + balance_loss};
  };
  check_golden("sparse_moe_top1", nn::SparseMoEFeedForward(4, 5, 4, 1, 0), with_balance);
  check_golden("sparse_moe_top2", nn::SparseMoEFeedForward(4, 5, 4, 2, 0), with_balance);
}

TEST_CASE("The adaptive feed-forward gives PyTorch's values and gradients, cut or with a ramp") {
  check_golden("adaptive", nn::AdaptiveFeedForward(4, 12));
  check_golden("adaptive_ramp", nn::AdaptiveFeedForward(4, 12, 4));
}

TEST_CASE("LayerNorm gives PyTorch's values and gradients") {
  check_golden("layer_norm", nn::LayerNorm(4));
}

TEST_CASE("Multi-head attention gives PyTorch's values, probabilities and gradients") {
  check_golden("multi_head_attention", nn::MultiHeadAttention(4, 2, 3),
               [](nn::MultiHeadAttention& attention, const std::vector<Tensor>& x) {
                 const auto [output, attn_prob] = attention(x[0], x[1], x[2], x[3].detach());
                 return std::vector<Tensor>{output, attn_prob};
               });
}

TEST_CASE("Scaled dot-product attention gives PyTorch's values, probabilities and gradients") {
  check_golden("scaled_dot_product_attention", nn::ScaledDotProductAttention(4),
               [](nn::ScaledDotProductAttention& attention, const std::vector<Tensor>& x) {
                 const auto [output, attn_prob] = attention(x[0], x[1], x[2], x[3].detach());
                 return std::vector<Tensor>{output, attn_prob};
               });
}

TEST_CASE("A Transformer block gives PyTorch's values and gradients") {
  check_golden("transformer_block", nn::TransformerBlock(4, 2, 6),
               [](nn::TransformerBlock& block, const std::vector<Tensor>& x) {
                 return std::vector<Tensor>{block(x[0], x[1].detach())};
               });
}

TEST_CASE("The feed-forward of convolutions gives PyTorch's values and gradients") {
  check_golden("poswise_feed_forward_net", nn::PoswiseFeedForwardNet(4));
  check_golden("poswise_feed_forward_net_relu", nn::PoswiseFeedForwardNet(4, relu));
}

TEST_CASE("A checkpointed feed-forward gives the values and gradients of torch.utils.checkpoint") {
  check_golden("checkpointed_ffn", nn::CheckpointedFFN(4, 6));
}

TEST_CASE("A mixed-precision feed-forward gives the values and gradients of PyTorch's rounding") {
  check_golden("mixed_precision_ffn", nn::MixedPrecisionFFN(4, 6));
  check_golden("mixed_precision_ffn_bfloat16", nn::MixedPrecisionFFN(4, 6, Scalar(0.1), bfloat16));
}

TEST_CASE("A residual connection gives PyTorch's values and gradients") {
  check_golden("residual_connection", Around());
}

TEST_CASE("Word and position embeddings give PyTorch's values and gradients") {
  const Golden expected = golden("embedding");
  const Tensor ids = expected.at("ids");
  nn::Embedding words(7, 6);
  set_parameters(words, expected);
  nn::PositionEmbedding positions(8, 6);
  const Tensor y = words(ids) + positions(ids);
  y.backward(expected.at("dy"));
  CHECK(difference(y, expected.at("y")) < module_tolerance);
  CHECK(nn::get_positions(ids).to_vector() == expected.at("positions").to_vector());
  CHECK(difference(positions.nn_pos.weight, expected.at("table")) < module_tolerance);
  check_gradient("weight", words.weight, expected);
  CHECK(positions.parameters().empty());
}
