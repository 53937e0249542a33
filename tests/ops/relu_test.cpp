#include "tests/support/test.hpp"

using namespace stepgrad;

const OpExample example_of_relu("relu", relu, "a.relu()", {-1, 0, 1});

TEST_CASE("The gradient of relu is zero at zero and below, and passes elsewhere, at a NaN too") {
  const Tensor x = parameter({NAN, infinity, -infinity, -1, 0, 1}), y = x.relu();
  y.backward(Tensor::full({6}, 2));
  CHECK(text(y) == "nan inf 0 0 0 1");
  CHECK(x.grad().to_vector() == Values{2, 2, 0, 0, 0, 2});
}
