#include "demos/parts/language_model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "demos/parts/batch.hpp"
#include "demos/parts/learning_rate.hpp"
#include "nn/adamw.hpp"
#include "ops/ops.hpp"

namespace stepgrad::demo {

static Tensor parameter(const Tensor& tensor, const char* name) { return tensor.requires_grad_().set_name(name); }

LanguageModel::LanguageModel(int64_t characters, int64_t context) : context(context), ffn(d_model, d_ff, 0.1f) {
  table = parameter(Tensor::randn({characters, d_model / context}), "table");
  w = parameter(Tensor::zeros({d_model, characters}), "w");
  b = parameter(Tensor::zeros({characters}), "b");
}

Tensor LanguageModel::forward(Tensor ids) {
  Tensor x = embedding(table, ids);  // [B, context, d_model / context]
  x = reshape(x, {-1, d_model});     // [B, d_model]
  x = x + ffn(x);                    // a residual connection around the network
  return matmul(x, w) + b;           // [B, characters]
}

namespace {

// An index, drawn with the probabilities softmax(logits).
int32_t draw(const Tensor& logits) {
  const Tensor log_p = log_softmax(logits);
  double left = Tensor::rand({}).item();
  int32_t id = 0;
  while (id + 1 < log_p.numel() && (left -= std::exp(log_p.data()[id])) >= 0) ++id;
  return id;
}

}

void train(LanguageModel& model, const Text& text, int64_t steps, const std::function<void(int64_t, double)>& after) {
  nn::AdamW optimizer(model.parameters());
  model.train();
  for (int64_t step = 0; step < steps; ++step) {
    const auto positions = random_positions(batch_size, model.context, text.held_out());
    const Batch batch = batch_before(text, positions, model.context);
    const Tensor loss = cross_entropy(model(batch.ids), batch.targets);
    optimizer.zero_grad();
    loss.backward();
    optimizer.lr = learning_rate(1e-3, step, steps);
    optimizer.step();
    after(step + 1, loss.item());
  }
}

double held_out_loss(LanguageModel& model, const Text& text) {
  const NoGrad no_grad;
  model.eval();
  double sum = 0;
  for (int64_t from = text.held_out(); from < text.size(); from += batch_size) {
    std::vector<int64_t> positions(std::min(batch_size, text.size() - from));
    std::iota(positions.begin(), positions.end(), from);
    const Batch batch = batch_before(text, positions, model.context);
    const Tensor loss = cross_entropy(model(batch.ids), batch.targets);
    sum += loss.item() * double(positions.size());
  }
  return sum / double(text.size() - text.held_out());
}

std::u32string sample(LanguageModel& model, const Text& text, int64_t length) {
  const NoGrad no_grad;
  model.eval();
  int64_t from = text.held_out();
  while (from > model.context && text.alphabet[text.ids[from - 1]] != U'\n') --from;
  std::vector<Scalar> last(text.ids.begin() + from - model.context, text.ids.begin() + from);
  std::u32string characters;
  for (int64_t i = 0; i < length; ++i) {
    const int32_t next = draw(model(Tensor::from(last, {1, model.context})));
    characters += text.alphabet[next];
    last.erase(last.begin());
    last.push_back(Scalar(next));
  }
  return characters;
}

}
