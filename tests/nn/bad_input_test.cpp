// Modules refuse bad input with the right type of error, and change nothing.
#include "core/memory/storage.hpp"
#include "core/tensor/random.hpp"
#include "nn/nn.hpp"
#include "tests/support/test.hpp"

namespace {

// The message of the E that f throws. No random number was drawn for it, and nothing stays of it.
template <class E>
std::string refusal(auto f) {
  const int64_t nodes = live_nodes(), storages = live_storages();
  const uint64_t calls = random_state().call;
  const std::string why = message<E>(f);
  CHECK(why != "nothing was thrown");
  CHECK(live_nodes() == nodes);
  CHECK(live_storages() == storages);
  CHECK(random_state().call == calls);
  return why;
}

}

TEST_CASE("A mask of a wrong shape is refused") {
  const Tensor x = leaf({2, 3, 4});
  nn::MultiHeadAttention attention(4, 2);
  nn::ScaledDotProductAttention scaled_dot_attn(4);
  nn::TransformerBlock block(4, 2, 6);
  for (const Shape& shape : {Shape{2, 3, 2}, {3, 3, 3}, {2, 2, 3, 3}}) {
    const Tensor mask = Tensor::ones(shape);
    refusal<ShapeError>([&] { attention(x, x, x, mask); });
    refusal<ShapeError>([&] { scaled_dot_attn(x, x, x, mask); });
    refusal<ShapeError>([&] { block(x, mask); });
  }
  CHECK(refusal<ShapeError>([&] {
    attention(x, x, x, Tensor::ones({3, 2}));
  }) ==
      "MultiHeadAttention: a mask of [3, 2] does not broadcast to [batch, n_q, n_k] = "
      "[2, 3, 3]");
}

TEST_CASE("Sizes that do not go together make no module") {
  for (const int n_head : {0, 3})
    CHECK(refusal<ValueError>([&] { nn::MultiHeadAttention(10, n_head); }) ==
        text_of("MultiHeadAttention: d_model 10 is not a multiple of n_head ", n_head));
  refusal<ValueError>([] { nn::MoEFeedForward(4, 8, 0); });
  for (const auto& sizes : {std::pair{4, 0}, std::pair{0, 4}}) {
    const int a = sizes.first, b = sizes.second;
    const auto both = [a, b](const char* begin, const char* between) {
      return text_of(begin, ' ', a, between, ' ', b, " must be positive");
    };
    CHECK(refusal<ValueError>([&] { nn::Linear(a, b); }) == both("Linear: in_features", " and out_features"));
    CHECK(refusal<ValueError>([&] { nn::Conv1d(a, b); }) == both("Conv1d: in_channels", " and out_channels"));
    CHECK(refusal<ValueError>([&] { nn::Embedding(a, b); }) == both("Embedding: num_embeddings", " and embedding_dim"));
    CHECK(refusal<ValueError>([&] { nn::LayerNorm(a, Scalar(b)); }) == both("LayerNorm: d_model", " and eps"));
    CHECK(refusal<ValueError>([&] { nn::get_sinusoid_encoding_table(a, b); }) ==
        both("get_sinusoid_encoding_table: n_seq", " and d_hidn"));
    CHECK(refusal<ValueError>([&] { nn::MultiHeadAttention(4, a, b); }) ==
        both("MultiHeadAttention: n_head", " and d_head") + ", and few enough to count");
  }
  constexpr auto most = std::numeric_limits<int64_t>::max();
  refusal<ValueError>([] { nn::MultiHeadAttention(10, most, most); });
  for (const int64_t n_seq : {most, int64_t{-1}})
    CHECK(refusal<ValueError>([&] { nn::PositionEmbedding(n_seq, 4); }) ==
        text_of("PositionEmbedding: n_seq ", n_seq, " is negative or too large to count"));
}

TEST_CASE("Queries and keys of different batches do not attend") {
  const Tensor q = leaf({2, 3, 4}), k = leaf({1, 3, 4}), ids = Tensor::ones({2, 3});
  nn::MultiHeadAttention attention(4, 2);
  CHECK(refusal<ShapeError>([&] {
    attention(q, Tensor::ones({2, 5, 4}), Tensor::ones({2, 2, 4}));
  }) ==
      "MultiHeadAttention: Q [2, 3, 4], K [2, 5, 4] and V [2, 2, 4] are not [batch, positions, "
      "d_model], K and V alike");
  refusal<ShapeError>([&] { attention(q, k, k); });
  refusal<ShapeError>([&] { attention(Tensor::ones({3, 4}), q, q); });
  refusal<ShapeError>([&] { attention(Tensor::ones({2, 3, 5}), q, q); });
  refusal<ValueError>([] { nn::ScaledDotProductAttention(0); });
  CHECK(refusal<ShapeError>([&] { nn::get_attn_pad_mask(ids, Tensor::ones({3})); }) ==
      "get_attn_pad_mask: [2, 3] and [3] are not [batch, n] of one batch");
}

TEST_CASE("No text gives no ids, and these no vectors") {
  CHECK(refusal<ValueError>([] { nn::pad_sequence({}); }) == "pad_sequence: no sequences");
  const Tensor nothing = nn::pad_sequence({{}, {}});
  CHECK(nothing.shape() == Shape{2, 0});
  nn::Embedding words(5, 4);
  nn::TransformerBlock block(4, 2, 6);
  const Tensor mask = nn::get_attn_pad_mask(nothing, nothing);
  const Tensor y = block(words(nothing) + nn::PositionEmbedding(8, 4)(nothing), mask);
  CHECK(y.shape() == Shape{2, 0, 4});
  y.sum().backward();
  CHECK(words.weight.grad().to_vector() == Values(20, 0));
}
