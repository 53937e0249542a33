// stepgrad's training step, timed: unfused, and fused.
#include <algorithm>
#include <iostream>
#include <string>

#include "core/tape/modes.hpp"
#include "core/tape/tape.hpp"
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

// One line for each node that saves data, with the letters of its formula.
void print_kept(const Tensor& loss) {
  std::vector<Node*> nodes = reachable(loss);
  std::reverse(nodes.begin(), nodes.end());
  for (const Node* node : nodes) {
    if (!node->saved) continue;
    std::printf("  %-14s", node->op());
    for (const Saved* saved = node->saved; saved; saved = saved->next) {
      if (!saved->defined()) continue;
      const auto bytes = static_cast<double>(saved->storage()->size) * sizeof(Scalar);
      std::printf(" %s %.3f MiB ", saved->letter, bytes / 0x1p20);
    }
    std::printf("\n");
  }
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
  x.requires_grad_(job.dx);
  const FusedOps fused(mode != "stepwise");
  std::vector<Tensor> wanted{ffn.w1, ffn.b1, ffn.w2, ffn.b2};
  if (job.dx) wanted.push_back(x);
  const auto step = [&] {
    for (const Tensor& p : wanted) p.set_grad({});
    const Tensor loss = sum(ffn(x));
    loss.backward();
    return loss;
  };
  if (job.checks())
    check(step(), wanted);
  else if (job.shows_tape())
    print_kept(sum(ffn(x)));
  else
    timing::report(job.seconds, step);
}

}  // namespace

// benchmark_stepgrad (stepwise | fused) JOB
int main(int argc, char** argv) try {
  timing::expect_arguments(7, argc, argv,
                           "(stepwise | fused) BATCH LENGTH D_MODEL D_FF SECONDS DX");
  run(argv[1], timing::job_from(argc - 1, argv + 1));
} catch (const std::exception& error) {
  std::cerr << "benchmark: " << error.what() << '\n';
  return 2;
}
