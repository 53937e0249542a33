// What helps to train: initialisation, checkpointing, mixed precision.
#include <cmath>

#include "core/memory/pool.hpp"
#include "demos/feed_forward_variants/parts.hpp"
#include "demos/parts/cell.hpp"
#include "nn/nn.hpp"

namespace stepgrad::demo {
namespace {

double rms(const Tensor& x) { return std::sqrt(mean(x * x).item()); }

// The root mean square of x after `depth` linear layers with this initialisation.
double rms_behind(int depth, auto init) {
  const NoGrad no_grad;
  Tensor x = Tensor::randn({64, 256});
  for (int i = 0; i < depth; ++i) {
    nn::Linear layer(256, 256);
    init(layer);
    x = layer(x);
  }
  return rms(x);
}

// The cost and results of a step through a stack of layers.
struct Step {
  double milliseconds;
  int64_t peak;  // bytes, beside what was there before
  std::vector<std::vector<Scalar>> gradients;
};

template <class Layer>
Step step_through(std::vector<Layer>& layers, const Tensor& x) {
  Step step;
  const int64_t before = memory_stats().in_use;
  reset_peak_memory();
  step.milliseconds = milliseconds([&] {
    for (Layer& layer : layers) {
      for (const Tensor& p : layer.parameters()) p.set_grad({});
    }
    manual_seed(1);  // for the same dropout masks
    Tensor y = x;
    for (Layer& layer : layers) y = layer(y);
    y.sum().backward();
  });
  step.peak = memory_stats().peak - before;
  for (Layer& layer : layers) {
    for (const Tensor& p : layer.parameters()) step.gradients.push_back(p.grad().to_vector());
  }
  return step;
}

void show_step(const char* name, const Step& step) {
  const double mib = double(step.peak) / (1 << 20);
  show_text(column(name, 14) + column(fixed(mib, 1), 9) + fixed(step.milliseconds, 1));
}

}

void initialization() {
  cell("Init", "Xavier keeps the size of what goes through; biases begin at zero",
      "Xavier 초기화는 신호의 크기를 지킨다; 편향은 0에서 시작");
  const NoGrad no_grad;
  RUN(nn::FeedForward ffn(512, 2048));
  RUN(ffn.apply([](auto& module) { nn::init_ffn_weights(module); }));
  RUN(const Tensor weights = ffn.w_1.weight);
  SHOW_AS("uniform within ±√(6 / (512 + 2048)): the largest", max(weights));
  SHOW_AS("the smallest", min(weights));
  SHOW(std::sqrt(6. / (512 + 2048)));
  SHOW(sum(ffn.w_1.bias * ffn.w_1.bias));

  show_text("root mean square behind linear layers of 256:");
  show_text("layers   PyTorch's default   Xavier");
  for (const int depth : {1, 4, 16}) {
    const double by_default = rms_behind(depth, [](nn::Linear&) {});
    const double xavier = rms_behind(depth, [](nn::Linear& layer) { nn::init_ffn_weights(layer); });
    show_text(column(std::to_string(depth), 9) + column(fixed(by_default, 5), 20) + fixed(xavier, 5));
  }
}

void checkpointing() {
  cell("Memory", "class CheckpointedFFN: the hidden layers are recomputed, not kept",
      "class CheckpointedFFN: 은닉층을 저장하지 않고 다시 계산");
  RUN(std::vector<nn::FeedForward> plain);
  RUN(std::vector<nn::CheckpointedFFN> checkpointed);
  for (int i = 0; i < 8; ++i) {
    plain.emplace_back(128, 512);
    checkpointed.emplace_back(128, 512);
    checkpointed.back().ffn = plain.back();  // the same parameters
  }
  RUN(const Tensor x = Tensor::randn({2048, 128}));
  show_definitions({"milliseconds", "Step", "step_through"});
  RUN(const Step first = step_through(plain, x), second = step_through(checkpointed, x));
  show_text("8 layers     MiB at peak   ms");
  show_step("plain", first);
  show_step("checkpointed", second);
  SHOW_AS("gradients, bit by bit", first.gradients == second.gradients);
}

static void scaled() {
  cell("Scaling", "A loss is scaled so that no gradient is lost; a step that overflows is left out",
      "그래디언트가 사라지지 않도록 손실을 키운다; 넘치는 단계는 건너뛴다");
  RUN(const Tensor w = Tensor::ones({1, 1}).requires_grad_());
  RUN(const Autocast autocast(half));
  RUN(linear(Tensor::of({1}), w).sum().mul_(1e-9).backward());
  SHOW_AS("too small for a half", w.grad());
  RUN(nn::SGD optimizer({w}, 0.1f));
  RUN(nn::GradScaler scaler(1 << 18, 2, 0.5, 2));
  show_text("step   scale    taken   weight");
  for (int step = 1; step <= 6; ++step) {
    optimizer.zero_grad();
    scaler.scale(linear(Tensor::of({1}), w).sum()).backward();
    const double scale = scaler.get_scale();
    const bool taken = scaler.step(optimizer);
    scaler.update();
    show_text(column(std::to_string(step), 7) + column(fixed(scale, 0), 9) + column(taken ? "yes" : "no", 8) +
        fixed(w.item(), 1));
  }
}

void mixed_precision() {
  cell("Mixed", "class MixedPrecisionFFN: products of rounded numbers, sums and weights in fp32",
      "class MixedPrecisionFFN: 곱은 반올림한 수로, 합과 가중치는 fp32로");
  RUN(nn::MixedPrecisionFFN in_half(512, 2048, 0));
  RUN(nn::MixedPrecisionFFN in_bfloat16(512, 2048, 0, bfloat16));
  RUN(in_bfloat16.ffn = in_half.ffn);
  RUN(const Tensor x = Tensor::randn({128, 512}));
  RUN(const Tensor exact = in_half.ffn(x));
  show_definitions({"rms"});
  SHOW_AS("half: relative error", rms(in_half(x) - exact) / rms(exact));
  SHOW_AS("bfloat16", rms(in_bfloat16(x) - exact) / rms(exact));
  show_text("fp32 " + fixed(milliseconds([&] { return in_half.ffn(x); }), 2) + " ms, half " +
      fixed(milliseconds([&] { return in_half(x); }), 2) + " ms, bfloat16 " +
      fixed(milliseconds([&] { return in_bfloat16(x); }), 2) + " ms");
  RUN(in_half(x).sum().backward());
  SHOW_AS("the weights stay as they are, and get gradients", in_half.ffn.w_1.weight.grad().shape());
  scaled();
}

}
