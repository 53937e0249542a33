#include "tests/support/test.hpp"

using namespace stepgrad;

const OpExample example_of_log_softmax(
    "log_softmax", [](Tensor x) { return log_softmax(x); }, "F.log_softmax(a, -1)", Shapes{{2, 3}});

TEST_CASE("log_softmax neither overflows nor changes when all logits are shifted") {
  const Tensor x = parameter({10000, -10000, 9999}), y = log_softmax(x);
  CHECK_THAT(y.to_vector(), near({Scalar(-0.313261687518223), Scalar(-20000.31326168752),
                                  Scalar(-1.313261687518223)}));
  y.backward(Tensor::of({1, 2, 3}));
  CHECK_THAT(x.grad().to_vector(), near({Scalar(-3.38635147178003), 2, Scalar(1.38635147178003)}));
  const Tensor z = Tensor::randn({5, 40}) * 64;
  for (int64_t i = 0; i < z.numel(); ++i) z.data()[i] = std::round(z.data()[i]);
  CHECK(log_softmax(z).to_vector() == log_softmax(z + 4096).to_vector());
}

TEST_CASE("A logit of minus infinity has no probability and disturbs no other") {
  const Tensor x = parameter({1, -infinity, 2}), y = log_softmax(x);
  y.backward(Tensor::of({1, 2, 3}));
  CHECK_THAT((Values{y.at(0), y.at(2)}),
             near({Scalar(-1.313261687518223), Scalar(-0.313261687518223)}));
  CHECK(y.at(1) == -infinity);
  CHECK_THAT(x.grad().to_vector(),
             near({Scalar(-0.613648528219971), 2, Scalar(-1.38635147178003)}));
}
