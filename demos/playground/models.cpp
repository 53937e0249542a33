#include "demos/playground/models.hpp"

#include <iterator>
#include <set>
#include <sstream>

#include "core/check.hpp"
#include "core/trace/recording.hpp"
#include "core/trace/replay.hpp"
#include "core/utf8.hpp"
#include "nn/attention_masks.hpp"
#include "nn/embedding.hpp"
#include "nn/feed_forward.hpp"
#include "nn/gated_feed_forward.hpp"
#include "nn/linear.hpp"
#include "nn/moe_feed_forward.hpp"
#include "nn/positionwise_feed_forward.hpp"
#include "nn/scaled_dot_product_attention.hpp"
#include "nn/transformer_block.hpp"
#include "ops/ops.hpp"

namespace stepgrad::demo {
namespace {

// A model's output for x, in training or in evaluation.
Tensor made_by(auto model, const Setup& setup, const Tensor& x) { return model.train(setup.training)(x); }

// Each word looks at itself and at earlier ones.
Tensor one_head(const Setup& setup, const Tensor& x) {
  const auto projection = [&](const char* name) {
    nn::Linear linear(setup.d_model, setup.d_model, false);
    linear.weight.set_name(name);
    return linear;
  };
  nn::Linear w_q = projection("W_Q"), w_k = projection("W_K"), w_v = projection("W_V");
  const Tensor mask = nn::get_attn_decoder_mask(Tensor::ones({1, setup.words})).set_name("mask");
  const nn::ScaledDotProductAttention attention(setup.d_model);
  const Tensor Q = w_q(x), K = w_k(x), V = w_v(x);
  return attention(Q, K, V, mask).output;
}

Tensor block(const Setup& setup, const Tensor& x) {
  nn::TransformerBlock block(setup.d_model, setup.heads, setup.d_ff, setup.dropout);
  const Tensor mask = nn::get_attn_decoder_mask(Tensor::ones({1, setup.words})).set_name("mask");
  return block.train(setup.training)(x, mask);
}

// A layer of tanh, then one of `out` numbers.
Tensor two_layers(const Setup& s, const Tensor& x, int64_t out) {
  nn::Linear first(x.size(-1), s.d_ff), second(s.d_ff, out);
  first.weight.set_name("w1"), first.bias.set_name("b1");
  second.weight.set_name("w2"), second.bias.set_name("b2");
  return second(tanh(first(x)).set_name("h")).set_name("y");
}

Tensor square_error(const Tensor& y, const Tensor& target) {
  const Tensor error = (y - target).set_name("error");
  return mean(error * error).set_name("loss");
}

// Points of a square: 1 within a circle of half its area, or in two opposite quadrants; else -1.
Tensor plane_loss(const Setup& s) {
  const int64_t points = 64;
  const Tensor x = Tensor::rand({points, 2}), target = Tensor::ones({points, 1});
  for (int64_t i = 0; i < points; ++i) {
    Scalar &a = x.data()[2 * i], &b = x.data()[2 * i + 1];  // no ops: x is no result
    a = 4 * a - 2, b = 4 * b - 2;
    const double far = double{a} * a + double{b} * b;
    if (s.model == "circle" ? far >= 8 / 3.14159 : a * b <= 0) target.data()[i] = -1;
  }
  return square_error(two_layers(s, x.set_name("x"), 1), target.set_name("target"));
}

// Which letter follows each three of the text, whose beginning follows its end.
Tensor text_loss(const Setup& s) {
  const std::string text = playground_text;
  const std::set<char> letters(text.begin(), text.end());
  const auto n = std::ssize(text);
  const Tensor x = Tensor::zeros({n, 3}), target = Tensor::zeros({n});
  for (int64_t i = 0; i < 4 * n; ++i) {
    const char letter = text[size_t((i / 4 + i % 4) % n)];
    const auto id = Scalar(std::distance(letters.begin(), letters.find(letter)));
    (i % 4 < 3 ? x.data()[i / 4 * 3 + i % 4] : target.data()[i / 4]) = id;
  }
  nn::Embedding embedding(std::ssize(letters), s.d_model);
  embedding.weight.set_name("letters");
  const Tensor each = embedding(x.set_name("x"));
  const Tensor y = two_layers(s, each.reshape({n, 3 * s.d_model}), std::ssize(letters));
  return cross_entropy(y, target.set_name("target")).set_name("loss");
}

Tensor model(const Setup& s, const Tensor& x) {
  if (s.model == "ffn") return made_by(nn::PositionwiseFeedForward(s.d_model, s.d_ff, s.dropout), s, x);
  if (s.model == "linear_ffn") return made_by(nn::FeedForward(s.d_model, s.d_ff, s.dropout), s, x);
  if (s.model == "gelu") return made_by(nn::FeedForwardGELU(s.d_model, s.d_ff, s.dropout), s, x);
  if (s.model == "glu") return made_by(nn::GatedFeedForward(s.d_model, s.d_ff, s.dropout), s, x);
  if (s.model == "attention") return one_head(s, x);
  if (s.model == "block") return block(s, x);
  if (s.model == "experts") return made_by(nn::MoEFeedForward(s.d_model, s.d_ff, s.experts, s.dropout), s, x);
  fail<ValueError>("playground: there is no model '", s.model, "'");
}

}

Tensor loss_of(const Setup& s) {
  for (const int64_t size : {s.words, s.d_model, s.d_ff, s.heads, s.experts})
    check<ValueError>(size >= 1 && size <= 12, "playground: a size of ", size, " is not in [1, 12]");
  check<ValueError>(s.seed >= 0, "playground: the seed ", s.seed, " is negative");
  manual_seed(uint64_t(s.seed));
  if (s.model == "circle" || s.model == "quadrants") return plane_loss(s);
  if (s.model == "letters") return text_loss(s);
  const bool batched = s.model == "attention" || s.model == "block";
  const Shape shape = batched ? Shape{1, s.words, s.d_model} : Shape{s.words, s.d_model};
  const Tensor x = Tensor::randn(shape).set_name("x");
  const Tensor target = Tensor::randn(shape).set_name("target");
  return square_error(model(s, x).set_name("y"), target);
}

Setup read_setup(const std::string& text) {
  std::istringstream in(text);
  in.imbue(std::locale::classic());
  Setup s;
  in >> s.model >> s.words >> s.d_model >> s.d_ff >> s.heads >> s.experts >> s.seed >> s.dropout >> s.training;
  check<ValueError>(!in.fail(), "playground: '", text, "' is no setup");
  return s;
}

std::string tape_of(const Setup& setup) {
  const KeepLedger ledger;
  const Tensor loss = loss_of(setup);
  loss.backward({}, true);
  const Recording recording = recording_of(loss, 2000);
  std::string json = to_json(recording);
  json.pop_back();
  return json + ",\"replay\":" + json_string(to_text(recording)) + '}';
}

}
