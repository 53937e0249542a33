#include <array>
#include <iostream>
#include <numeric>
#include <sstream>

#include "demos/experiments/report.hpp"
#include "demos/parts/batch.hpp"
#include "ops/ops.hpp"
#include "tests/support/catch.hpp"

using namespace stepgrad;
using namespace stepgrad::demo;

namespace {

constexpr Size small{.d_model = 8, .n_heads = 2, .n_layers = 2, .context = 6, .batch = 3};

std::vector<Variant> all_variants() {
  std::vector<Variant> variants;
  for (const Study& study : studies(small)) {
    variants.insert(variants.end(), study.variants.begin(), study.variants.end());
  }
  return variants;
}

Results with_losses(std::initializer_list<double> losses) {
  Results results;
  for (const double loss : losses) results.emplace_back().loss = loss;
  return results;
}

}

TEST_CASE("each position hears from each one before it, and from none after it") {
  for (const Variant& variant : all_variants()) {
    INFO(variant.name);
    manual_seed(1);
    CausalTransformer model(5, small, variant.make);
    model.eval();
    const Tensor logits = model(Tensor::of({{0, 1, 2, 3, 4, 0}}));
    for (int64_t changed = 0; changed < small.context; ++changed) {
      const Tensor ids = Tensor::of({{0, 1, 2, 3, 4, 0}});
      ids.data()[changed] = 1 + ids.data()[changed] == 5 ? 0 : 1 + ids.data()[changed];
      const Tensor same = eq(model(ids), logits);  // [1, context, 5]
      for (int64_t t = 0; t < small.context; ++t) {
        const double equal = slice(same, 1, t, t + 1).mean().item();
        CHECK((t < changed) == (equal == 1));  // it hears from each one before it
      }
    }
  }
}

TEST_CASE("a sequence-wise feed-forward mixes positions by a lower triangle") {
  manual_seed(2);
  constexpr int64_t n = 5;
  SequenceFeedForward ffn(n, 3, 0);
  const Tensor x = Tensor::randn({2, n, 4}).requires_grad_();
  const Tensor y = ffn(x);
  CHECK(y.shape() == x.shape());
  for (int64_t t = 0; t < n; ++t) {
    x.set_grad({});
    ffn(x).backward(one_hot(Tensor::full({2, 4}, Scalar(t)), n).transpose(1, 2));
    for (int64_t i = 0; i < n; ++i) {
      const double heard = sum(slice(x.grad(), 1, i, i + 1) * slice(x.grad(), 1, i, i + 1)).item();
      INFO("position " << t << " of position " << i);
      CHECK((heard > 0) == (i <= t));
    }
  }
}

TEST_CASE("every parameter of every variant learns") {
  for (const Variant& variant : all_variants()) {
    manual_seed(3);
    CausalTransformer model(5, small, variant.make);
    const Tensor ids = Tensor::of({{0, 1, 2, 3, 4, 0}, {4, 3, 1, 1, 2, 2}, {2, 0, 4, 1, 3, 0}});
    Tensor loss = cross_entropy(model(ids), ids);
    for (const Block& block : model.blocks) {
      if (block.balance_loss.defined()) loss = loss + block.balance_loss;
    }
    loss.backward();
    for (const auto& [name, parameter] : model.named_parameters()) {
      INFO(variant.name << ": " << name);
      // Of the best ones only, some expert may not get any of the few positions.
      const bool may_be_idle = variant.name.find("best") != variant.name.npos && name.find("experts") != name.npos;
      CHECK((may_be_idle || parameter.grad().defined()));
    }
  }
}

TEST_CASE("learn() trains by plain steps, and measures one sequence after the other") {
  std::u32string characters;
  while (characters.size() < 480) characters += U"abcabdcc";
  const Text text(characters);
  const MakeFeedForward make = [] { return nn::SparseMoEFeedForward(8, 16, 4, 2); };
  constexpr int64_t steps = 80;
  std::vector<double> losses;
  const Result result = learn(text, small, make, 5, steps, [&](int64_t, double loss) { losses.push_back(loss); });
  manual_seed(5);
  const auto starts = random_positions(3 * steps, 0, text.held_out() - 6);
  CausalTransformer model(4, small, make);
  nn::AdamW optimizer(model.parameters());
  const FusedOps fused;
  for (size_t step = 0; step < steps; ++step) {
    const Batch batch = batch_from(text, {starts[3 * step], starts[3 * step + 1], starts[3 * step + 2]}, small.context);
    const Tensor loss = cross_entropy(model(batch.ids), batch.targets);
    CHECK(losses[step] == Approx(loss.item()));
    const double done = double(step + 1) / (steps + 1);
    optimizer.lr = 3e-3 * std::min(done / 0.05, (1 - done) / 0.95);
    optimizer.zero_grad();
    (loss + 0.01 * (model.blocks[0].balance_loss + model.blocks[1].balance_loss)).backward();
    optimizer.step();
  }
  CHECK(result.training_loss == Approx(std::accumulate(losses.end() - 8, losses.end(), 0.) / 8));
  const NoGrad no_grad;
  model.eval();
  double loss = 0, right = 0, usage = 0, sequences = 0;
  for (int64_t at = text.held_out(); at + 6 < text.size(); at += 6, ++sequences) {
    const Batch batch = batch_from(text, {at}, small.context);
    const Tensor logits = model(batch.ids);
    loss += cross_entropy(logits, batch.targets).item();
    right += sum(eq(argmax(logits, -1), batch.targets)).item();
    usage += model.blocks[1].usage.at(2);
  }
  CHECK(result.loss == Approx(loss / sequences));
  CHECK(result.accuracy == Approx(right / (6 * sequences)));
  CHECK(result.usage[1][2] == Approx(usage / sequences));
  CHECK(result.loss < losses[0] / 2);
}

TEST_CASE("a difference counts only if it exceeds the spread") {
  const Expectation expectation{"A", "B", ""};
  CHECK(found(expectation, with_losses({1.5, 2.4}), with_losses({1, 2})) ==
      "B better by 0.4500 ± 0.0707 nats, with 2 of 2 seeds: NOT as expected.");
  CHECK(found(expectation, with_losses({1, 2}), with_losses({1.5, 1.7})) ==
      "A better by 0.1000 ± 0.5657 nats, with 1 of 2 seeds: the spread exceeds the difference, "
      "so this is open.");
  CHECK(found(expectation, with_losses({1}), with_losses({1.5})) ==
      "A better by 0.5000 nats, with 1 of 1 seeds: one says nothing about the spread.");
  CHECK(found(expectation, with_losses({1, 2}), with_losses({1, 2})) ==
      "B better by 0.0000 ± 0.0000 nats, with 2 of 2 seeds: the spread exceeds the difference, so this is open.");
}

namespace {

// What report() prints of three seeds, or less, that took so many steps, with single blanks.
std::string reported(int64_t steps, size_t seeds) {
  AllResults all{{"A", with_losses({1, 2, 3})}, {"AB", with_losses({1, 1, 2})}, {"a", with_losses({2, 1, 1})}};
  for (auto& [name, results] : all) {
    for (size_t i = 0; i < 3; ++i) {
      results[i].accuracy = 0.5 + 0.1 * double(i), results[i].training_loss = std::array{0.5, 0.6, 1.}[i];
      results[i].seconds = std::array{0.004, 0.002, 0.003}[i];
      results[i].steps = steps, results[i].parameters = 10 + std::ssize(name);
      if (name == "AB") results[i].usage = {{0.1 + 0.1 * i, 0.9 - 0.1 * i}, {}, {0.5, 0.5}};
    }
    results.resize(seeds);
  }
  std::ostringstream said;
  std::streambuf* screen = std::cout.rdbuf(said.rdbuf());
  report({"study", "", {{"A", {}}, {"AB", {}}, {"a", {}}}, {{"AB", "A", "so"}}, "A note."}, all);
  std::cout.rdbuf(screen);
  std::istringstream words(said.str());
  std::string text;
  for (std::string word; words >> word;) text += word + ' ';
  return text;
}

}

TEST_CASE("a report has each seed's numbers in their columns, and a verdict from 200 steps of 3 seeds on") {
  const std::string table =
      "parameters loss perplexity accuracy % train ms "
      "A 11 2.000 ± 1.000 10.1 ± 9.0 60.0 ± 10.0 0.70 2.0 "
      "AB 12 1.333 ± 0.577 4.3 ± 2.7 60.0 ± 10.0 0.70 2.0 "
      "a 11 1.333 ± 0.577 4.3 ± 2.7 60.0 ± 10.0 0.70 2.0 A note. ";
  const std::string expected = "Expected: AB better than A (so). Found: ";
  CHECK(reported(200, 3) ==
      table + "Smallest mean loss: AB. " + expected +
          "AB better by 0.6667 ± 0.5774 nats, with 2 of 3 seeds: as expected. "
          "AB, layer 1: each expert gets 10.0 to 90.0 % of the work "
          "AB, layer 3: each expert gets 50.0 to 50.0 % of the work ");
  CHECK(reported(199, 3).find(expected + "no verdict: 199 steps of 3 seeds are too few; 200 of 3 are the least.") ==
      table.size());
  CHECK(reported(200, 2).find("A note. " + expected + "no verdict: 200 steps of 2 seeds are too few;") !=
      std::string::npos);
}
