#include "demos/parts/language_model.hpp"

#include <cmath>

#include "demos/notebook/ngram.hpp"
#include "tests/support/catch.hpp"

using namespace stepgrad;
using namespace stepgrad::demo;

namespace {

Text repeated(std::u32string_view period, int times) {
  std::u32string characters;
  for (int i = 0; i < times; ++i) characters += period;
  return Text(characters);
}

LanguageModel trained(const Text& text, int64_t context, int64_t steps) {
  manual_seed(0);
  LanguageModel model(std::ssize(text.alphabet), context);
  train(model, text, steps, [](int64_t, double) {});
  return model;
}

}

TEST_CASE("a character that was never seen keeps some probability") {
  std::u32string characters(99, U'a');
  const Text text(characters + U"b");
  CHECK(unigram_loss(text) == Approx(-(9 * std::log(90 / 91.) + std::log(1 / 91.)) / 10));
  CHECK(std::isfinite(bigram_loss(text)));
}

TEST_CASE("before training all characters are equally likely") {
  const Text text = repeated(U"한글로", 50);
  LanguageModel model(3, 2);
  CHECK(held_out_loss(model, text) == Approx(std::log(3)));
}

TEST_CASE("one character is not enough where two are") {
  const Text text = repeated(U"aab", 100);  // after a: a or b; after aa or ba there is no doubt
  // AdamW's first step moves a number that was 0 by the learning rate.
  CHECK(std::abs(trained(text, 1, 1).b.at(0)) == Approx(1e-3 / 2 / 0.95).epsilon(1e-3));
  LanguageModel one = trained(text, 1, 15), two = trained(text, 2, 15);
  CHECK(bigram_entropy(text) > 0.4);
  CHECK(held_out_loss(one, text) >= bigram_entropy(text));
  CHECK(held_out_loss(two, text) < 0.1);
}
