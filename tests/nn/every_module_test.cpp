// Every module against central differences: all parameters and inputs, in training and evaluation.
// A new one needs a line in examples(), or the first test fails.
#include <filesystem>
#include <fstream>
#include <set>

#include "nn/nn.hpp"
#include "tests/support/test.hpp"

namespace {

struct Example {
  std::string module;
  Function f;
  std::function<void(bool)> train;
  Tensors inputs;  // and all parameters
  nn::NamedTensors named;
};

// f(module, inputs), which is module(inputs[0]) if not said otherwise.
template <class Module>
Example example(const char* name, Module module, Tensors inputs, auto f) {
  const size_t n = inputs.size();
  const auto shared = std::make_shared<Module>(std::move(module));
  const nn::NamedTensors named = shared->named_parameters();
  for (const auto& [path, p] : named) inputs.push_back(p);
  const auto of_inputs = [=](Tensors in) {
    in.resize(n);
    return f(*shared, in);
  };
  return {name, of_inputs, [=](bool mode) { shared->train(mode); }, inputs, named};
}

template <class Module>
Example example(const char* name, Module module, Tensors inputs) {
  return example(
      name, std::move(module), std::move(inputs), [](Module& module, const Tensors& in) { return module(in[0]); });
}

Tensor both(const nn::Attended& y) { return concat({y.output.view({-1}), y.attn_prob.view({-1})}); }

std::vector<Example> feed_forwards() {
  const Tensor x = leaf({2, 3});
  return {
      example("Linear", nn::Linear(3, 4), {x}),
      example("Sequential", nn::Sequential(nn::Linear(3, 4), nn::LayerNorm(4)), {x}),
      example("PositionwiseFeedForward", nn::PositionwiseFeedForward(3, 4), {x}),
      example("FeedForward", nn::FeedForward(3, 4), {x}),
      example("FeedForwardGELU", nn::FeedForwardGELU(3, 4), {x}),
      example("GatedFeedForward", nn::GatedFeedForward(3, 4), {x}),
      example("SwiGLU", nn::SwiGLU(3, 4), {x}),
      example("CheckpointedFFN", nn::CheckpointedFFN(3, 4), {x}),
      example("Conv1d", nn::Conv1d(3, 2), {leaf({2, 3, 4})}),
      example("PoswiseFeedForwardNet", nn::PoswiseFeedForwardNet(2), {leaf({2, 3, 2})}),
      example("PoswiseFeedForwardNet", nn::PoswiseFeedForwardNet(2, relu), {leaf({2, 3, 2})}),
  };
}

std::vector<Example> mixtures() {
  std::vector<Example> examples{
      example("MoEFeedForward", nn::MoEFeedForward(3, 4, 3), {leaf({2, 2, 3})}),
      example("AdaptiveFeedForward", nn::AdaptiveFeedForward(3, 8, 3), {leaf({2, 2, 3})}),
  };
  for (const int64_t k : {1, 2, 3}) {
    nn::SparseMoEFeedForward moe(3, 4, 3, k);
    const NoGrad no_grad;
    moe.gate.weight.copy_(one_hot(arange(3), 3));  // some position chooses each
    const auto with_loss = [](auto& moe, const Tensors& in) {
      const auto [output, balance_loss, usage] = moe(in[0]);
      return output * balance_loss;
    };
    examples.push_back(example("SparseMoEFeedForward", moe, {leaf({8, 2, 3})}, with_loss));
  }
  return examples;
}

std::vector<Example> attention() {
  const Tensor mask = Tensor::of({{0, 1, 0}, {1, 1, 1}}).view({1, 2, 3});
  const Tensor causal = nn::get_attn_decoder_mask(Tensor::ones({2, 3}));
  const Tensors qkv{leaf({2, 2, 4}), leaf({2, 3, 4}), leaf({2, 3, 4})};
  return {
      example("ScaledDotProductAttention", nn::ScaledDotProductAttention(4), qkv,
          [=](auto& attend, const Tensors& in) { return both(attend(in[0], in[1], in[2], mask)); }),
      example("MultiHeadAttention", nn::MultiHeadAttention(4, 2, 3), qkv,
          [=](auto& attend, const Tensors& in) { return both(attend(in[0], in[1], in[2], mask)); }),
      example("LayerNorm", nn::LayerNorm(4), {leaf({2, 4})}),
      example("TransformerBlock", nn::TransformerBlock(4, 2, 6), {leaf({2, 3, 4})},
          [=](auto& block, const Tensors& in) { return block(in[0], causal); }),
  };
}

std::vector<Example> small_ones() {
  const Tensor ids = Tensor::of({{2, 0, 2}, {1, 1, 3}});
  return {
      example("ReLU", nn::ReLU(), {leaf({2, 3}, {0})}),
      example("Dropout", nn::Dropout(Scalar(0.5)), {leaf({2, 3})}),
      example("Embedding", nn::Embedding(4, 3), {}, [=](auto& words, const Tensors&) { return words(ids); }),
      example("PositionEmbedding", nn::PositionEmbedding(3, 3), {leaf({2, 3, 3})},
          [=](auto& positions, const Tensors& in) { return in[0] * positions(ids); }),
      example("ResidualConnection", nn::ResidualConnection(Scalar(0.5)), {leaf({2, 3})},
          [](auto& residual, const Tensors& in) { return residual(in[0], sigmoid); }),
  };
}

std::vector<Example> examples() {
  manual_seed(11);
  std::vector<Example> all;
  for (const auto& some : {feed_forwards(), mixtures(), attention(), small_ones()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

// The structs with a base in nn/*.hpp.
std::set<std::string> modules_in_headers() {
  const std::string before = "struct ";
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator("nn")) {
    if (entry.path().extension() != ".hpp") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      const size_t colon = line.find(" : ");
      if (!line.starts_with(before) || colon == line.npos) continue;
      names.insert(line.substr(before.size(), colon - before.size()));
    }
  }
  return names;
}

}

TEST_CASE("Every module in nn/ has an example here, but one that rounds") {
  std::set<std::string> names{"MixedPrecisionFFN"};  // a staircase: golden values must do
  for (const Example& example : examples()) names.insert(example.module);
  CHECK(names == modules_in_headers());
}

TEST_CASE("Every module names its parameters by their paths") {
  for (const Example& example : examples()) {
    INFO(example.module);
    for (const auto& [path, p] : example.named) CHECK(p.name() == path);
  }
}

TEST_CASE("Every module has the gradients of central differences, in training and evaluation") {
  for (const Example& example : examples()) {
    for (const bool mode : {true, false}) {
      INFO(example.module << (mode ? " in training" : " in evaluation"));
      example.train(mode);
      gradcheck(example.f, example.inputs);
    }
  }
}
