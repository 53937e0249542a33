// The pages that a browser reads every op's rule on: no test of its own, but it needs the
// OpExamples.
#include <cstdlib>
#include <set>

#include "core/trace/trace.hpp"
#include "ops/ops.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/gradcheck.hpp"

using namespace stepgrad;

namespace {

// A weight for each element of y, as a constant: no op of the pages makes it.
Tensor weights_of(const Tensor& y) {
  const Unshown unshown;
  return reshape(arange(y.numel()) * 0.125f - 1, y.shape());
}

// The sum of all examples' outputs, each element with its own weight, except these ops'.
Tensor sum_of_examples(const std::set<std::string>& but) {
  manual_seed(0);
  Tensor loss = Tensor::zeros({});
  for (const OpExample& example : OpExample::all()) {
    if (but.count(example.op)) continue;
    const Tensor y = example.f(example.inputs());
    loss = loss + sum(y * weights_of(y));
  }
  return loss;
}

// What examples leave out of a rule: a row that does not count and smoothing, far from 0, ties,
// rows that are all alike, vectors and batches of products.
Tensor sum_of_further() {
  const auto given = [](std::vector<Scalar> numbers) { return Tensor::from(numbers).requires_grad_(); };
  const Tensor logits = Tensor::randn({3, 4}).requires_grad_();
  Tensor loss = cross_entropy(logits, Tensor::from(std::vector<Scalar>{1, -100, 3}), -100, 0.2) +
      cross_entropy(logits, Tensor::from(std::vector<Scalar>{0, 2, 7}), 7);
  for (const Tensor& y : {gelu(given({7, -7, 0.5})), maximum(given({1, 2, -3}), given({1, -2, -3})),
           stddev(reshape(given({2, 2, 2, 1, 2, 3}), {2, 3}), {1})})
    loss = loss + sum(y * (arange(y.numel()) + 1));
  const Tensor matrix = Tensor::randn({3, 2}).requires_grad_(), batch = Tensor::randn({2, 1, 2, 3}).requires_grad_(),
               other = Tensor::randn({2, 3, 2}).requires_grad_();
  for (const Tensor& y :
      {matmul(given({1, -2, 3}), matrix), matmul(matrix, given({2, -1})), matmul(given({1, -2}), given({3, 4})),
          matmul(batch, other), matmul(other, batch), matmul(batch, given({1, -2, 3}))})
    loss = loss + sum(y * y);
  return loss;
}

}

TEST_CASE("Pages of every op's example are written to STEPGRAD_PAGES", "[.]") {
  const char* folder = std::getenv("STEPGRAD_PAGES");
  REQUIRE(folder);
  const std::string pages = folder;
  const KeepLedger ledger;
  trace(sum_of_examples({}) + sum_of_further(), pages + "/examples.html");
  // Ops of which a live page says why it is none.
  const Tensor loss = sum_of_examples({"checkpoint", "fused_feed_forward"});
  trace(loss, pages + "/live_examples.html", live);
}
