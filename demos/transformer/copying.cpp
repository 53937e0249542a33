// Attention in a small model that has learned to repeat.
#include "demos/parts/cell.hpp"
#include "demos/transformer/attention.hpp"
#include "nn/nn.hpp"
#include "ops/ops.hpp"

namespace stepgrad::demo {
namespace {

constexpr int64_t length = 6, symbols = 10, width = 32, batch_size = 32;

// Predicts each next symbol from those before it.        ids: [batch, n]
struct Copier : nn::Module<Copier> {
  nn::Attended look(const Tensor& x, const Tensor& ids) {
    return attention(x, x, x, nn::get_attn_decoder_mask(ids));
  }
  Tensor forward(Tensor ids) {
    const Tensor x = symbol(ids) + where;
    return head(norm(x + look(x, ids).output));
  }
  template <class Visit>
  void parts(Visit visit) {
    visit("symbol", symbol), visit("attention", attention), visit("norm", norm);
    visit("head", head), visit("where", where);
  }
  nn::Embedding symbol{symbols, width};
  nn::MultiHeadAttention attention{width, n_head};
  nn::LayerNorm norm{width};
  nn::Linear head{width, symbols};
  Tensor where = (nn::get_sinusoid_encoding_table(2 * length, width) * 1).requires_grad_();
};

// Random symbols, twice: [batch, 2 * length]
Tensor twice(int64_t batch) {
  const Tensor half = trunc(Tensor::rand({batch, length}) * symbols);
  return concat({half, half}, 1);
}

// The loss of predicting the second half, each symbol from those before it.
Tensor loss_of(Copier& copier, const Tensor& ids) {
  const Tensor logits = slice(copier(ids), 1, length - 1, 2 * length - 1);
  return cross_entropy(logits, slice(ids, 1, length, 2 * length));
}

void learn(Copier& copier, int steps) {
  nn::AdamW optimizer(copier.parameters());
  optimizer.lr = 1e-2;
  for (int step = 0; step < steps; ++step) {
    optimizer.zero_grad();
    loss_of(copier, twice(batch_size)).backward();
    optimizer.step();
  }
}

}  // namespace

void trained_attention(const Pictures& pictures) {
  cell("Trained", "The same attention when it has learned to repeat six symbols");
  show_definitions({"length", "Copier", "twice", "loss_of", "learn"});
  RUN(Copier copier);
  RUN(const Tensor ids = twice(1));
  SHOW_AS("loss before: log(10) is 2.3", loss_of(copier, ids));
  RUN(learn(copier, 400));
  SHOW_AS("and after", loss_of(copier, ids));
  const NoGrad no_grad;
  const Tensor attn_prob = copier.look(copier.symbol(ids) + copier.where, ids).attn_prob;
  std::vector<std::string> shown;
  for (int64_t i = 0; i < 2 * length; ++i) {
    shown.push_back(std::to_string(static_cast<int>(ids.at(0, i))));
  }
  draw_attention(pictures, "trained_attention", "Trained to repeat", attn_prob.squeeze(0), shown);
  show_words(
      "To guess what follows, a head looks six positions back, and one on: at what followed "
      "this symbol the first time.");
}

}  // namespace stepgrad::demo
