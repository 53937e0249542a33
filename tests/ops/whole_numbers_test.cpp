// The ops that make whole numbers and have no gradient: arange, one_hot, top_k_mask and trunc.
#include "core/ledger.hpp"
#include "ops/ops.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/gradcheck.hpp"

using namespace stepgrad;

const OpExample example(
    "trunc",
    [](Tensor x) {
      set_detect_nan(true);  // only then is it on the tape
      const Tensor y = x * trunc(x);
      set_detect_nan(false);
      return y;
    },
    [] {
      return Tensors{leaf({2, 3}, {-2, -1, 0, 1, 2})};
    });

TEST_CASE("arange counts") {
  CHECK(arange(4).to_vector() == Values{0, 1, 2, 3});
  CHECK(arange(-1, 2).to_vector() == Values{-1, 0, 1});
  CHECK(arange(0).shape() == Shape{0});
  CHECK(message<ValueError>([] { arange(-1); }) == "arange: from 0 to -1 by 1");
}

TEST_CASE("one_hot has a one at each id") {
  CHECK(one_hot(Tensor::of({2, 0}), 3).to_vector() == Values{0, 0, 1, 1, 0, 0});
  CHECK(one_hot(Tensor::zeros({2, 1}), 4).shape() == Shape{2, 1, 4});
  CHECK(one_hot(1, 2).to_vector() == Values{0, 1});
  CHECK(one_hot(Tensor::zeros({0}), 4).shape() == Shape{0, 4});
  CHECK(message<IndexError>([] { one_hot(Tensor::of({3}), 3); }) ==
        "one_hot: id 3 is not a whole number in [0, 3)");
}

TEST_CASE("top_k_mask marks the largest of each row, and of equal ones the earlier") {
  CHECK(top_k_mask(Tensor::of({{1, 3, 2}, {5, 4, 4}}), 2).to_vector() == Values{0, 1, 1, 1, 1, 0});
  CHECK(top_k_mask(Tensor::of({-1, -3, -2}), 3).to_vector() == Values{1, 1, 1});
  CHECK(top_k_mask(Tensor::zeros({0, 3}), 1).shape() == Shape{0, 3});
  CHECK_FALSE(top_k_mask(leaf({3}), 1).requires_grad());
  CHECK(message<ValueError>([] {
          top_k_mask(Tensor::ones({2, 3}), 4);
        }) == "top_k_mask: k = 4 is not in [1, 3]");
  CHECK(message<ValueError>([] {
          top_k_mask(Tensor::ones({2, 3}), 0);
        }) == "top_k_mask: k = 0 is not in [1, 3]");
}

TEST_CASE("top_k_mask takes a NaN for the largest as torch.topk does") {
  CHECK(top_k_mask(Tensor::of({{1, NAN, 3}, {NAN, 2, 1}}), 1).to_vector() ==
        Values{0, 1, 0, 1, 0, 0});
}

TEST_CASE("trunc goes towards zero and has no gradient") {
  CHECK(text(trunc(Tensor::of({1.7, -1.7, NAN, infinity, -0.5}))) == "1 -1 nan inf -0");
  CHECK_FALSE(trunc(leaf({3})).requires_grad());
}
