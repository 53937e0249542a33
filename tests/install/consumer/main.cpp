#include <filesystem>
#include <iostream>

#include "core/tensor.hpp"
#include "core/trace/trace.hpp"
#include "core/watch/ledger.hpp"
#include "nn/positionwise_feed_forward.hpp"
#include "ops/ops.hpp"

using namespace stepgrad;

int main() {
  manual_seed(0);
  nn::PositionwiseFeedForward ffn(8, 16, 0.1f);
  mean(ffn(Tensor::randn({4, 10, 8}))).backward();
  for (const Tensor& p : ffn.parameters()) {
    std::cout << p.name() << ' ' << p.shape() << ' ' << p.grad().shape() << '\n';
    if (p.grad().shape() != p.shape()) return 1;
  }

  // A live page has the engine that was installed, if there was one.
  set_ledger(true);
  const Page page = to_html(mean(ffn(Tensor::randn({3, 8}))), live);
  std::cout << "A page, " << (page.not_live.empty() ? "live" : page.not_live) << '\n';
#ifdef STEPGRAD_ENGINE
  if (page.not_live.empty() != std::filesystem::exists(STEPGRAD_ENGINE)) return 1;
#endif
  if (page.not_live.empty() != (page.html.size() > 400'000)) return 1;
}
