#include "tests/support/test.hpp"

TEST_CASE("The tape lists the recorded ops, with names, shapes and lines") {
  const Tensor x = Tensor::zeros({4, 2}).set_name("x");
  const Tensor w = Tensor::zeros({2, 3}).set_name("w").requires_grad_();
  const int line = __LINE__ + 1;
  const Tensor h = matmul(x, w).set_name("h");
  const Tensor mask = dropout_mask(h, Scalar(0.5));
  const Tensor loss = mean(h * mask);
  const auto at = [&](int i) { return "print_tape_test.cpp:" + std::to_string(line + i) + '\n'; };
  CHECK(tape(loss) ==
      "    op            inputs                  output      called at\n"
      "#1  matmul        'x' [4, 2], 'w' [2, 3]  [4, 3] 'h'  " +
          at(0) + "#2  dropout_mask                          [4, 3]      " + at(1) +
          "#3  mul           'h' [4, 3], #2 [4, 3]   [4, 3]      " + at(2) +
          "#4  mean          #3 [4, 3]               []          " + at(2));
}

TEST_CASE("A table's columns are as wide as their characters, whatever bytes these take") {
  CHECK(in_columns({{"한글", "", "x"}, {"abc", "", "y"}}) == "한글   x\nabc  y\n");
}

TEST_CASE("An op that two others use is listed once, even if it requires no gradient") {
  const Tensor x = Tensor::ones({4}).requires_grad_(), mask = dropout_mask(x, Scalar(0.5));
  const std::string text = tape(sum(x * mask + (x + 1) * mask));
  CHECK(text.find("dropout_mask") == text.rfind("dropout_mask"));
}
