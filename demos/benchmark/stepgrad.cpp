// stepgrad's training step, timed: unfused, and fused.
#include <iostream>
#include <string>

#include "core/tape/modes.hpp"
#include "demos/benchmark/timing.hpp"
#include "nn/nn.hpp"
#include "ops/ops.hpp"

using namespace stepgrad;

namespace {

Tensor filled(const Shape& shape, float scale) {
  const Tensor x = Tensor::empty(shape);
  timing::fill(x.numel(), scale, x.data());
  return x;
}

void check(const Tensor& loss, const std::vector<Tensor>& wanted) {
  std::printf("%.9g", static_cast<double>(loss.item()));
  for (const Tensor& p : wanted) {
    std::printf(" %.9g", timing::checksum(p.numel(), p.grad().data()));
  }
  std::printf("\n");
}

void run(const std::string& mode, const timing::Job& job) {
  nn::PositionwiseFeedForward ffn(job.d_model, job.d_ff, job.dropout_p());
  {
    const NoGrad no_grad;
    ffn.w1.copy_(filled(ffn.w1.shape(), timing::weight_scale));
    ffn.b1.copy_(filled(ffn.b1.shape(), timing::bias_scale));
    ffn.w2.copy_(filled(ffn.w2.shape(), timing::weight_scale));
    ffn.b2.copy_(filled(ffn.b2.shape(), timing::bias_scale));
  }
  const Tensor x = filled({job.batch, job.length, job.d_model}, timing::x_scale);
  const FusedOps fused(mode != "stepwise");
  const std::vector<Tensor> wanted{ffn.w1, ffn.b1, ffn.w2, ffn.b2};
  const auto step = [&] {
    for (const Tensor& p : wanted) p.set_grad({});
    const Tensor loss = sum(ffn(x));
    loss.backward();
    return loss;
  };
  if (job.checks())
    check(step(), wanted);
  else
    timing::report(job.seconds, step);
}

}  // namespace

// benchmark_stepgrad (stepwise | fused) JOB
int main(int argc, char** argv) try {
  timing::expect_arguments(6, argc, argv, "(stepwise | fused) BATCH LENGTH D_MODEL D_FF SECONDS");
  run(argv[1], timing::job_from(argc - 1, argv + 1));
} catch (const std::exception& error) {
  std::cerr << "benchmark: " << error.what() << '\n';
  return 2;
}
