// The pages that a browser reads every op's rule on: no test of its own, but it needs the
// OpExamples.
#include <cstdlib>
#include <set>

#include "core/trace/trace.hpp"
#include "core/watch/ledger.hpp"
#include "ops/ops.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/gradcheck.hpp"

using namespace stepgrad;

namespace {

// What all examples make, each element with a weight of its own, but those of these ops.
Tensor sum_of_examples(const std::set<std::string>& but) {
  manual_seed(0);
  Tensor loss = Tensor::zeros({});
  for (const OpExample& example : OpExample::all()) {
    if (but.count(example.op)) continue;
    const Tensor y = example.f(example.inputs());
    loss = loss + sum(y * reshape(arange(y.numel()) * 0.125f - 1, y.shape()));
  }
  return loss;
}

}  // namespace

TEST_CASE("Pages of every op's example are written to STEPGRAD_PAGES", "[.]") {
  const char* folder = std::getenv("STEPGRAD_PAGES");
  REQUIRE(folder);
  const std::string pages = folder;
  const KeepLedger ledger;
  trace(sum_of_examples({}), pages + "/examples.html");
  // Of these a live page says why it is none.
  const Tensor loss =
      sum_of_examples({"checkpoint", "fused_attention", "fused_feed_forward", "trunc"});
  trace(loss, pages + "/recorded_examples.html");
  trace(loss, pages + "/live_examples.html", live);
}
