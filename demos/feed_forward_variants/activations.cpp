// ReLU, GELU, SiLU and SwiGLU compared: values, gradients, dead units, time.

#include "demos/feed_forward_variants/parts.hpp"
#include "demos/parts/cell.hpp"
#include "nn/nn.hpp"

namespace stepgrad::demo {
namespace {

struct Named {
  const char* name;
  nn::Activation f;
};

constexpr Named all[] = {{"relu", relu}, {"gelu", gelu}, {"gelu_tanh", gelu_tanh}, {"silu", silu}};

struct Curve {
  Tensor y, slope;
};

Curve curve(nn::Activation f, const Tensor& at) {
  const Tensor x = at.clone().requires_grad_(), y = f(x);
  y.backward(ones_like(y));
  return {y.detach(), x.grad()};
}

void values_and_gradients() {
  cell("compare", "max(0, x), x·Φ(x) exactly and by tanh, x·sigmoid(x): values, then gradients",
      "max(0, x), 정확한 x·Φ(x)와 tanh 근사, x·sigmoid(x): 값과 그래디언트");
  const Tensor x = Tensor::of({-3, -1, -0.5, 0, 0.5, 1, 3});
  const auto row = [](const std::string& name, const Tensor& numbers) {
    std::string line = name;
    for (int64_t i = 0; i < numbers.numel(); ++i) {
      line = column(line, 15 + 9 * i) + fixed(numbers.at(i), 4);
    }
    show_text(line);
  };
  row("x", x);
  for (const auto& [name, f] : all) row(name, curve(f, x).y);
  for (const auto& [name, f] : all) row(std::string("d") + name + "/dx", curve(f, x).slope);
}

// The share of hidden units that pass no gradient for any of these inputs.
double dead_units(nn::FeedForward& ffn, const Tensor& x) {
  const Tensor slope = curve(ffn.activation, ffn.w_1(x).detach()).slope;
  return 1 - mean(gt(amax(slope * slope, 0), 1e-12)).item();
}

// Learns to double its input, with steps that are too large at first.
std::string dying(const Named& activation) {
  manual_seed(5);
  nn::FeedForward ffn(32, 128, 0, activation.f);
  nn::SGD optimizer(ffn.parameters(), Scalar(0.2));
  const Tensor x = Tensor::randn({256, 32});
  std::string line = column(activation.name, 12) + column(fixed(100 * dead_units(ffn, x), 1), 9);
  for (int step = 0; step < 200; ++step) {
    if (step == 3) optimizer = nn::SGD(ffn.parameters(), Scalar(0.05));
    optimizer.zero_grad();
    const Tensor error = ffn(x) - x * 2;
    (mean(error * error) * 32).backward();
    optimizer.step();
  }
  const Tensor error = ffn(x) - x * 2;
  return line + column(fixed(100 * dead_units(ffn, x), 1), 9) + fixed(mean(error * error).item(), 3);
}

void times() {
  cell("Time", "For four million numbers, forward and backward", "숫자 사백만 개의 순전파와 역전파 시간");
  const Tensor x = Tensor::randn({1 << 22}).requires_grad_(), dy = Tensor::randn({1 << 22});
  show_text("activation     ms");
  for (const auto& [name, f] : all) {
    show_text(column(name, 15) + fixed(milliseconds([&, f = f] { f(x).backward(dy); }), 1));
  }
}

}

void activations() {
  values_and_gradients();
  cell("Dead", "Units that no input gets a gradient through, before and after learning, too fast at first",
      "어떤 입력에도 그래디언트가 흐르지 않는 유닛: 처음에 너무 빠른 학습의 전과 후");
  show_text("activation  before%  after%   loss at last");
  for (const Named& activation : all) show_text(dying(activation));
  times();
}

}
