#include "tests/support/test.hpp"

using namespace stepgrad;

const OpExample example_of_trunc("trunc",
                                 [](Tensor x) {
                                   set_detect_nan(true);  // only then is it on the tape
                                   const Tensor y = x * trunc(x);
                                   set_detect_nan(false);
                                   return y;
                                 },
                                 "a * a.trunc()", {-2, -1, 0, 1, 2});

TEST_CASE("trunc goes towards zero and has no gradient") {
  CHECK(text(trunc(Tensor::of({1.7, -1.7, NAN, infinity, -0.5}))) == "1 -1 nan inf -0");
  CHECK_FALSE(trunc(leaf({3})).requires_grad());
}
