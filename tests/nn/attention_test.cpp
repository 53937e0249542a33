// Attention, its masks and the position embedding; tests/nn/golden_values_test.cpp has the values.
#include "nn/nn.hpp"
#include "tests/support/test.hpp"

namespace {

const Tensor ids = Tensor::of({{91, 4, 6, 58, 60, 90, 0, 0}, {12, 5, 53, 32, 96, 82, 60, 90}});

}

TEST_CASE("The pad mask and the decoder mask") {
  const Tensor pad = nn::get_attn_pad_mask(ids, ids), decoder = nn::get_attn_decoder_mask(ids);
  CHECK(pad.shape() == Shape{2, 8, 8});
  CHECK(decoder.shape() == Shape{2, 8, 8});
  for (int64_t b = 0; b < 2; ++b) {
    for (int64_t q = 0; q < 8; ++q) {
      for (int64_t k = 0; k < 8; ++k) {
        const bool padding = b == 0 && k >= 6, later = k > q;
        REQUIRE(pad.at(b, q, k) == padding);
        REQUIRE(decoder.at(b, q, k) == later);
      }
    }
  }
  CHECK(nn::get_attn_pad_mask(Tensor::ones({2, 3}), ids).shape() == Shape{2, 3, 8});
  CHECK_THROWS_AS(nn::get_attn_pad_mask(Tensor::ones({3, 8}), ids), ShapeError);
  CHECK_THROWS_AS(nn::get_attn_decoder_mask(Tensor::ones({3})), ShapeError);
}

TEST_CASE("Padding may be any id, for masks and for positions") {
  const Tensor ids = Tensor::of({{5, 0, 7, 7}, {0, 7, 5, 0}});
  CHECK(nn::get_attn_pad_mask(ids, ids, 7)[0].to_vector() == Values{0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1});
  CHECK(nn::get_attn_pad_mask(Tensor::of({{7, 7}, {7, 7}}), ids, 7)[1].to_vector() == Values{0, 1, 0, 0, 0, 1, 0, 0});
  const Tensor table = nn::get_sinusoid_encoding_table(5, 4);
  nn::PositionEmbedding positions(4, 4, 7);
  const Tensor y = positions(ids);
  const int64_t expected[2][4] = {{1, 2, 0, 0}, {1, 0, 3, 4}};
  for (int64_t b = 0; b < 2; ++b)
    for (int64_t i = 0; i < 4; ++i) CHECK(y[b][i].to_vector() == table[expected[b][i]].to_vector());
}

TEST_CASE("The sinusoid table has sin and cos in turn, of falling frequency") {
  for (const int64_t d : {128, 5, 1}) {
    const Tensor table = nn::get_sinusoid_encoding_table(64, d);
    CHECK(table.shape() == Shape{64, d});
    for (int64_t i = 0; i < table.numel(); ++i) {
      const double angle = double(i / d) / std::pow(10000, double(i % d / 2 * 2) / double(d));
      CHECK(table.data()[i] == Approx(i % d % 2 ? std::cos(angle) : std::sin(angle)).margin(1e-6));
    }
  }
}

TEST_CASE("The position embedding is frozen, and refuses sequences longer than its table") {
  nn::PositionEmbedding positions(8, 4);
  CHECK(positions.parameters().empty());
  CHECK(positions(ids).shape() == Shape{2, 8, 4});
  CHECK_FALSE(positions(ids).requires_grad());
  CHECK_ERROR(
      ShapeError, positions(Tensor::ones({1, 9})), "PositionEmbedding: [1, 9] is not [batch, n] with n up to 8");
  CHECK_THROWS_AS(positions(Tensor::ones({8})), ShapeError);
}

TEST_CASE("A mask without a batch is used for every sentence, and none is one of zeros") {
  nn::MultiHeadAttention attention(4, 2);
  const Tensor x = Tensor::randn({2, 3, 4}), mask = triu(Tensor::ones({3, 3}), 1);
  const Tensor apart = attention(x, x, x, expand(mask, {2, 3, 3})).output;
  CHECK(attention(x, x, x, mask).output.to_vector() == apart.to_vector());
  CHECK(attention(x, x, x).output.to_vector() == attention(x, x, x, Tensor::zeros({2, 3, 3})).output.to_vector());
}
