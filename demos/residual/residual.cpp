// Demo: the feed-forward and residual connection of a block
#include <cmath>
#include <iomanip>

#include "core/text_stream.hpp"
#include "demos/parts/captions.hpp"
#include "demos/parts/cell.hpp"
#include "demos/parts/command_line.hpp"
#include "nn/nn.hpp"

using namespace stepgrad;
using namespace stepgrad::demo;

namespace {

constexpr int64_t batch_size = 64, seq_len = 256, d_model = 512, d_ff = 2048;

void position_wise() {
  cell("FFN", "A linear layer treats each position alone, as a kernel of 1 that goes over them",
      "线性层单独处理每个位置，如同大小为 1 的卷积核");
  const NoGrad no_grad;
  show_definitions({"d_model"});
  RUN(nn::Linear proj_up(d_model, d_ff));
  RUN(nn::Conv1d conv(d_model, d_ff, 1));
  RUN(conv.weight = proj_up.weight.unsqueeze(-1), conv.bias = proj_up.bias);
  RUN(const Tensor x = Tensor::randn({2, seq_len, d_model}));
  RUN(const Tensor by_conv = conv(x.transpose(1, 2)).transpose(1, 2));
  RUN(const Tensor error = by_conv - proj_up(x));
  SHOW_AS("no more than rounding apart", max(abs(error)));
}

nn::FeedForward feed_forward() {
  cell("In [2]", "class PositionwiseFeedForward: proj_up is w_1 here, proj_down is w_2",
      "class PositionwiseFeedForward：proj_up 在这里是 w_1，proj_down 是 w_2");
  RUN(nn::FeedForward ffn(d_model, d_ff));
  RUN(for (const auto& [name, p] : ffn.named_parameters()) show_text(name));
  RUN(const Tensor x = Tensor::randn({2, d_model}));
  RUN(ffn.eval());
  SHOW_AS("the same in two lines", mean(eq(ffn(x), ffn.w_2(ffn.w_1(x).relu()))));
  return ffn;
}

void at_full_size(nn::FeedForward& ffn) {
  cell("In [8]", "A batch of 64 sentences of 256 words", "一批 64 个句子，每句 256 个词");
  const NoGrad no_grad;
  RUN(ffn.train());
  RUN(const Tensor x = Tensor::randn({batch_size, seq_len, d_model}));
  SHOW(x.shape());
  SHOW(ffn(x).shape());
}

void any_sublayer(nn::FeedForward& ffn) {
  cell("In [4]", "class ResidualConnection: x + dropout(sublayer(x)), for any sublayer",
      "class ResidualConnection：x + dropout(sublayer(x))，适用于任何子层");
  const NoGrad no_grad;
  RUN(nn::ResidualConnection residual(0.1f));
  RUN(residual.eval(), ffn.eval());
  RUN(const Tensor x = Tensor::randn({2, 4, d_model}));
  SHOW_AS("a module", mean(eq(residual(x, ffn), x + ffn(x))));
  SHOW_AS("a function", mean(eq(residual(x, relu), x + x.relu())));
  RUN(nn::MultiHeadAttention attention(d_model, 8));
  RUN(const auto attend = [&](Tensor x) { return attention(x, x, x).output; });
  SHOW_AS("a lambda", mean(eq(residual(x, attend), x + attend(x))));
  RUN(ffn.w_2.weight.zero_(), ffn.w_2.bias.zero_());
  SHOW_AS("a sublayer only has to learn f(x) - x: with zeros, x itself", mean(eq(residual(x, ffn), x)));
}

void residual_at_full_size() {
  cell("In [10]", "The same batch through the feed-forward and the connection around it",
      "同一批数据通过前馈网络及其外面的残差连接");
  const NoGrad no_grad;
  RUN(nn::FeedForward ffn(d_model, d_ff));
  RUN(nn::ResidualConnection residual);
  RUN(const Tensor x = Tensor::randn({batch_size, seq_len, d_model}));
  SHOW(x.shape());
  SHOW(residual(x, ffn).shape());
}

// The norm of the gradient at the input of `depth` feed-forwards in sequence.
double gradient_norm(int depth, bool with_residual) {
  manual_seed(1);
  nn::ResidualConnection residual(0);
  const Tensor x = Tensor::randn({16, 64}).requires_grad_();
  Tensor y = x;
  for (int i = 0; i < depth; ++i) {
    nn::FeedForward ffn(64, 256, 0);
    y = with_residual ? residual(y, ffn) : ffn(y);
  }
  y.backward(Tensor::ones(y.shape()) / 32);  // of norm 1
  return std::sqrt(sum(x.grad() * x.grad()).item());
}

void vanishing() {
  cell("Why", "Of a gradient of norm 1 at the output, what arrives at the input",
      "输出处范数为 1 的梯度，到达输入时还剩多少");
  show_text("layers    without    with the connection");
  for (const int depth : {1, 2, 4, 8, 16, 32}) {
    TextStream line;
    line << std::setprecision(2) << std::left << std::setw(10) << depth << std::setw(11) << gradient_norm(depth, false)
         << gradient_norm(depth, true);
    show_text(line.str());
  }
}

void walk() {
  position_wise();
  nn::FeedForward ffn = feed_forward();
  at_full_size(ffn);
  any_sublayer(ffn);
  residual_at_full_size();
  vanishing();
}

}

int main(int argc, char** argv) {
  CLI::App app("The feed-forward and the residual connection of a Transformer.", "demos/run residual");
  add_language(app, {"zh"});
  return main_of(app, argc, argv, [&] {
    manual_seed(0);
    walk();
    return 0;
  });
}
