#include "tests/support/test.hpp"

const OpExample of_clamp("clamp", [](Tensor x) { return clamp(x, -1, 1); }, "a.clamp(-1, 1)", {-1, 0, 1});

TEST_CASE("clamp_ in place has clamp's values and gradients") {
  const Tensor x = leaf({2, 3}), y = x.clone();
  CHECK(y.clamp_(0).is(y));
  CHECK(y.to_vector() == x.clamp(0).to_vector());
  gradcheck([](Tensor x) { return (x * 2).clamp_(-1, 1) * x; }, {leaf({3, 17}, {-0.5, 0.5})});
}

TEST_CASE("clamp refuses a minimum above the maximum, and leaves the tensor as it was") {
  const Tensor x = Tensor::of({1, 2, 3});
  CHECK_ERROR(ValueError, clamp(x, 2, 1), "clamp: min 2 is not at most max 1");
  CHECK_ERROR(ValueError, x.clamp(NAN), "clamp: min nan is not at most max inf");
  CHECK_ERROR(ValueError, x.clamp_(2, 1), "clamp_: min 2 is not at most max 1");
  CHECK(x.to_vector() == Values{1, 2, 3});
  CHECK(x.storage()->version() == 0);
}
