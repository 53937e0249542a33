#include "demos/playground/models.hpp"

#include <sstream>

#include "core/check.hpp"
#include "core/trace/recording.hpp"
#include "core/trace/replay.hpp"
#include "core/utf8.hpp"
#include "nn/attention_masks.hpp"
#include "nn/feed_forward.hpp"
#include "nn/gated_feed_forward.hpp"
#include "nn/moe_feed_forward.hpp"
#include "nn/positionwise_feed_forward.hpp"
#include "nn/scaled_dot_product_attention.hpp"
#include "nn/transformer_block.hpp"
#include "ops/ops.hpp"

namespace stepgrad::demo {
namespace {

// A model's output for x, in training or in evaluation.
template <class Model>
Tensor made_by(Model model, const Setup& setup, const Tensor& x) {
  return model.train(setup.training)(x);
}

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

Tensor model(const Setup& s, const Tensor& x) {
  if (s.model == "ffn")
    return made_by(nn::PositionwiseFeedForward(s.d_model, s.d_ff, s.dropout), s, x);
  if (s.model == "linear_ffn") return made_by(nn::FeedForward(s.d_model, s.d_ff, s.dropout), s, x);
  if (s.model == "gelu") return made_by(nn::FeedForwardGELU(s.d_model, s.d_ff, s.dropout), s, x);
  if (s.model == "glu") return made_by(nn::GatedFeedForward(s.d_model, s.d_ff, s.dropout), s, x);
  if (s.model == "attention") return one_head(s, x);
  if (s.model == "block") return block(s, x);
  if (s.model == "experts")
    return made_by(nn::MoEFeedForward(s.d_model, s.d_ff, s.experts, s.dropout), s, x);
  fail<ValueError>("playground: there is no model '", s.model, "'");
}

}  // namespace

Tensor loss_of(const Setup& s) {
  for (const int64_t size : {s.words, s.d_model, s.d_ff, s.heads, s.experts})
    check<ValueError>(size >= 1 && size <= 12, "playground: a size of ", size,
                      " is not in [1, 12]");
  check<ValueError>(s.seed >= 0, "playground: the seed ", s.seed, " is negative");
  manual_seed(static_cast<uint64_t>(s.seed));
  const bool batched = s.model == "attention" || s.model == "block";
  const Shape shape = batched ? Shape{1, s.words, s.d_model} : Shape{s.words, s.d_model};
  const Tensor x = Tensor::randn(shape).set_name("x");
  const Tensor target = Tensor::randn(shape).set_name("target");
  const Tensor y = model(s, x).set_name("y");
  const Tensor error = (y - target).set_name("error");
  return mean(error * error).set_name("loss");
}

Setup read_setup(const std::string& text) {
  std::istringstream in(text);
  in.imbue(std::locale::classic());
  Setup s;
  in >> s.model >> s.words >> s.d_model >> s.d_ff >> s.heads >> s.experts >> s.seed >> s.dropout >>
      s.training;
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

}  // namespace stepgrad::demo
