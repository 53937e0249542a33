#include "tests/support/test.hpp"

const OpExample of_cumsum(
    "cumsum", [](Tensor x) { return cumsum(x, 1); }, "a.cumsum(1)", Shapes{{2, 3}});

TEST_CASE("Sums over a million numbers, and their gradients, recorded or not, keep their digits") {
  const int64_t many = 1 << 20;
  const Tensor x = Tensor::full({many}, 0.1).requires_grad_(), y = cumsum(x, 0);
  const auto is_right = [&](const Tensor& sums, bool backwards) {
    for (const int64_t i : {int64_t{0}, many / 3, many - 1})
      CHECK(sums.at(backwards ? many - 1 - i : i) == Approx(double(i + 1) * x.at(0)).epsilon(1e-6));
  };
  is_right(y, false);
  for (const bool recorded : {false, true})
    is_right(grad({y}, {x}, {.grad_outputs = {x.detach()}, .retain_graph = true, .create_graph = recorded})[0], true);
}
