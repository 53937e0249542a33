#include "core/tensor/random.hpp"
#include "nn/dropout.hpp"
#include "tests/support/test.hpp"
#include "tests/support/threads.hpp"

namespace {

// Numbers of every kind, from the start of seed 7.
std::vector<Values> draw_all() {
  manual_seed(7);
  const Tensor x = Tensor::ones({301, 77});
  return {Tensor::rand({301, 77}).to_vector(), Tensor::randn({301, 77}).to_vector(),
      dropout_mask(x, Scalar(0.9)).to_vector(), nn::Dropout(Scalar(0.5))(x).to_vector()};
}

}

TEST_CASE("The same seed gives the same numbers for any number of threads") {
  const std::vector<Values> expected = draw_all();
  for_any_number_of_threads([&] { CHECK(draw_all() == expected); });
}

TEST_CASE("Every random tensor counts once, whatever its size and kind, and no other op does") {
  manual_seed(0);
  const Tensor x = Tensor::rand({1000});
  Tensor::randn({0});
  dropout_mask(x, Scalar(0.5));
  rand_like(x);
  CHECK(random_state().call == 4);
  nn::Dropout off(0);
  off(x), off.eval()(x), nn::Dropout(Scalar(0.5)).eval()(x), x* x;
  CHECK(random_state().call == 4);
}

TEST_CASE("A refused shape draws nothing") {
  manual_seed(0);
  CHECK_THROWS(Tensor::rand({-1}));
  CHECK_THROWS(Tensor::randn({-1}));
  CHECK(random_state().call == 0);
}

TEST_CASE("A batch's shards draw the batch's rows, in every tensor with its rows") {
  const auto drawn = [](int64_t first, int64_t examples) {
    set_random_state({5, 0, first, examples});
    const Tensor x = Tensor::randn({examples, 3, 7}), w = Tensor::rand({5, 2});
    const Tensor mask = dropout_mask(x, Scalar(0.5)), row = Tensor::rand({examples, 2});
    const Tensor many = Tensor::randn({examples, 3, 4000});  // which threads share
    return std::vector{x, mask, row, many, w};
  };
  const Tensors all = drawn(0, 6), first = drawn(0, 2), last = drawn(2, 4);
  const Tensors one = drawn(4, 1);
  for (size_t i = 0; i < 4; ++i) {
    CHECK(concat({first[i], last[i]}, 0).to_vector() == all[i].to_vector());
    CHECK(one[i].to_vector() == all[i].slice(0, 4, 5).to_vector());
  }
  CHECK(first[4].to_vector() == all[4].to_vector());  // a number a batch, not an example
  CHECK(last[4].to_vector() == all[4].to_vector());
  manual_seed(5);
  CHECK(Tensor::randn({6, 3, 7}).to_vector() == all[0].to_vector());
}

TEST_CASE("Each RememberDraws records a draw, and repeated draws are neither recorded nor counted") {
  manual_seed(4);
  Draws outer, inner;
  const RememberDraws remember(outer);
  const auto draw = [] { return Tensor::rand({3}).to_vector(); };
  draw();
  Values drawn;
  {
    const RememberDraws within(inner);
    drawn = draw();
  }
  CHECK(inner.size() == 1);
  {
    const RepeatDraws repeat(outer);
    draw();
    {
      const RepeatDraws within(inner);
      CHECK(draw() == drawn);
    }
    CHECK(draw() == drawn);  // the second of the outer's
  }
  CHECK(outer.size() == 2);
  CHECK(random_state().call == 2);
  draw();
  CHECK(outer.size() == 3);
  CHECK(inner.size() == 1);
}
