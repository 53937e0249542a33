// Names, initialisation and misuse of modules, as in their documents.
#include "nn/documents/000.hpp"
#include "nn/documents/001.hpp"
#include "nn/documents/003.hpp"
#include "nn/nn.hpp"
#include "tests/support/test.hpp"

namespace {

std::vector<std::string> names(auto module) {
  std::vector<std::string> result;
  for (const auto& [name, p] : module.named_parameters()) result.push_back(name);
  return result;
}

using Names = std::vector<std::string>;

}

TEST_CASE("Parameters have dotted paths") {
  CHECK(names(nn::FeedForward(2, 3)) == Names{"w_1.weight", "w_1.bias", "w_2.weight", "w_2.bias"});
  CHECK(names(nn::SwiGLU(2, 3)) == Names{"w_gate.weight", "w_value.weight", "w_out.weight"});
}

TEST_CASE("Linear and Conv1d begin uniform within 1/√in_features") {
  manual_seed(1);
  nn::Linear layer(100, 300);
  nn::Conv1d conv(100, 300);
  for (const Tensor& p : {layer.weight, layer.bias, conv.weight, conv.bias}) {
    CHECK(amax(p.view({-1}), 0).item() <= Scalar(0.1));
    CHECK(amin(p.view({-1}), 0).item() >= Scalar(-0.1));
    CHECK(mean(p).item() == Approx(0).margin(0.01));
    CHECK(mean(p * p).item() == Approx(0.01 / 3).epsilon(0.2));
  }
  CHECK(names(nn::Linear(2, 3, false)) == Names{"weight"});
}

TEST_CASE("init_ffn_weights gives Xavier weights and zero biases to every linear layer") {
  nn::TransformerBlock block(64, 2, 128);
  block.apply([](auto& module) { nn::init_ffn_weights(module); });
  const auto variance = [](const Tensor& w) { return mean(w * w).item(); };
  CHECK(variance(block.attention.W_Q.weight) == Approx(2.0 / 128).epsilon(0.1));
  CHECK(variance(block.ffn.w_1.weight) == Approx(2.0 / 192).epsilon(0.1));
  CHECK(amax(block.ffn.w_2.weight.view({-1}), 0).item() <= std::sqrt(Scalar(6) / 192));
  CHECK(sum(block.attention.linear.bias.eq(0)).item() == 64);
  CHECK(sum(block.ffn.w_1.bias.eq(0)).item() == 128);
  CHECK(block.ffn.w_1.weight.requires_grad());
  CHECK_THROWS_AS(nn::xavier_uniform_(Tensor::ones({3})), ShapeError);
}

TEST_CASE("init_ffn_weights reaches the feed-forward of each of 001's modules") {
  nn::document_001::MoEFeedForward experts(8, 16, 2);
  nn::document_001::CheckpointedFFN checkpointed(8, 16);
  nn::document_001::MixedPrecisionFFN mixed(8, 16);
  nn::document_001::TransformerBlock block(8, 2, 16);
  const auto init = [](auto& module) { nn::document_001::init_ffn_weights(module); };
  experts.apply(init), checkpointed.apply(init), mixed.apply(init), block.apply(init);
  const nn::document_001::PositionwiseFeedForward* ffns[] = {
      &experts.experts[0], &experts.experts[1], &checkpointed.ffn, &mixed.ffn, &block.ffn};
  for (const auto* ffn : ffns) {
    CHECK(sum(ffn->w_1.bias.eq(0)).item() == 16);
    CHECK(sum(ffn->w_2.bias.eq(0)).item() == 8);
    CHECK(amax(ffn->w_1.weight.view({-1}), 0).item() > 1 / std::sqrt(Scalar(8)));
  }
}

TEST_CASE("A controller behind int() does not learn, and behind a ramp it does") {
  const Tensor x = Tensor::randn({2, 3, 4});
  nn::AdaptiveFeedForward cut(4, 16), ramp(4, 16, 4);
  cut(x).sum().backward();
  ramp(x).sum().backward();
  CHECK_FALSE(cut.dim_controller.weight.grad().defined());
  CHECK(cut.w_1.weight.grad().defined());
  CHECK(ramp.dim_controller.weight.grad().defined());
  CHECK(sum(ramp.dim_controller.weight.grad().eq(0)).item() < 4);
  CHECK_THROWS_AS(cut(Tensor::ones({3, 4})), ShapeError);
  CHECK_THROWS_AS(nn::AdaptiveFeedForward(4, 16, -1), ValueError);
}

TEST_CASE("A residual connection takes any sublayer") {
  nn::ResidualConnection residual(0);
  nn::FeedForward ffn(4, 8, 0);
  const Tensor x = Tensor::randn({2, 4});
  CHECK(residual(x, ffn).to_vector() == (x + ffn(x)).to_vector());
  CHECK(residual(x, relu).to_vector() == (x + x.relu()).to_vector());
  CHECK(residual(x, [](Tensor x) { return x * 2; }).to_vector() == (x * 3).to_vector());
  nn::ResidualConnection half(Scalar(0.5));
  const Tensor zero = Tensor::zeros({100});
  CHECK(sum(half(zero, [](Tensor x) { return x + 1; }).eq(0)).item() > 0);
  CHECK(sum(half.eval()(zero, [](Tensor x) { return x + 1; }).eq(1)).item() == 100);
}

TEST_CASE("Each of a Transformer block's three dropouts draws by its own p") {
  const Tensor x = Tensor::randn({1, 2, 4});
  for (int drops = 0; drops < 3; ++drops) {
    nn::TransformerBlock block(4, 2, 8, 0.);
    (drops == 0 ? block.dropout1 : drops == 1 ? block.ffn.dropout : block.dropout2).p = 0.5;
    const uint64_t before = random_state().call;
    block(x);
    CHECK(random_state().call == before + 1);
  }
}

TEST_CASE("Embedding begins normal, and LayerNorm with ones and zeros") {
  manual_seed(1);
  const Tensor table = nn::Embedding(100, 50).weight;
  CHECK(mean(table).item() == Approx(0).margin(0.05));
  CHECK(mean(table * table).item() == Approx(1).epsilon(0.05));
  const Tensor x = Tensor::of({1, -1});
  CHECK_THAT(nn::LayerNorm(2, Scalar(1e-12))(x).to_vector(), near({1, -1}));
}

TEST_CASE("A pretrained embedding is frozen, if not said otherwise") {
  CHECK(nn::Embedding::from_pretrained(Tensor::ones({2, 3})).parameters().empty());
  CHECK(nn::Embedding::from_pretrained(Tensor::ones({2, 3}).requires_grad_()).parameters().empty());
  CHECK(nn::Embedding::from_pretrained(Tensor::ones({2, 3}), false).parameters().size() == 1);
}

TEST_CASE("The documents' classes have the documents' names") {
  manual_seed(1);
  nn::document_000::PositionWiseFeedForward notebook(2, 4);
  CHECK(notebook.w1.shape() == Shape{2, 4});
  nn::document_001::PositionwiseFeedForward linear(2, 4);
  CHECK(linear.w_1.weight.shape() == Shape{4, 2});
  nn::document_003::PositionwiseFeedForward ffn(2, 4, 0), other(2, 4, 0);
  const Tensor x = Tensor::randn({3, 2});
  CHECK(allclose(ffn(x), ffn.proj_down(relu(ffn.proj_up(x)))));
  other = ffn;
  CHECK(&other.proj_up == &other.w_1);
  CHECK(other.proj_up.weight.is(ffn.proj_up.weight));
  const nn::document_003::PositionwiseFeedForward copy = ffn;
  CHECK(&copy.proj_down == &copy.w_2);
  CHECK(nn::document_003::ResidualConnection(0)(x, ffn).shape() == x.shape());
}

TEST_CASE("Sequences of tensors are padded to the longest, each with its gradient") {
  const Tensor a = parameter({1, 2, 3}), b = Tensor::of({4});
  const Tensor y = nn::pad_sequence({a, b}, -1);
  CHECK(y.to_vector() == Values{1, 2, 3, 4, -1, -1});
  sum(y * y).backward();
  CHECK(a.grad().to_vector() == Values{2, 4, 6});
  CHECK(nn::pad_sequence({Tensor::ones({2, 3}), Tensor::ones({1, 3})}).shape() == Shape{2, 2, 3});
  CHECK(nn::pad_sequence({{3}, {}, {1, 2}}, 9).to_vector() == Values{3, 9, 9, 9, 1, 2});
  CHECK_THROWS_AS(nn::pad_sequence(Tensors{}), ValueError);
  CHECK_THROWS_AS(nn::pad_sequence({Tensor::ones({2, 3}), Tensor::ones({1, 2})}), ShapeError);
}
