// gradcheck must find errors, or no other test means anything.
#include "tests/support/gradcheck.hpp"

#include "core/tape/record.hpp"
#include "ops/ops.hpp"
#include "tests/support/catch.hpp"

using namespace stepgrad;

namespace {

using Gradient = std::function<Tensor(Tensor dY, Tensor X)>;

struct SquareBackward final : Node {
  static constexpr Formula formula{"square", "Y = X∘X", "the test's"};
  SquareBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    const Tensor dX = gradient(std::move(dY), X);
    if (dX.defined()) x.add_grad(dX);
  }
  Input x{this};
  Saved X{this, "X"};
  Gradient gradient;
};

// gradcheck's report on x² with this gradient.
std::string verdict(const Gradient& gradient) {
  const auto square = [&](Tensors in) {
    const Arg x(in[0]);
    auto node = record<SquareBackward>(x);
    if (node) node->X = x.tensor, node->gradient = gradient;
    const NoGrad no_grad;
    return on_tape(x.tensor * x.tensor, std::move(node));
  };
  return gradient_error(square, {leaf({2, 3})});
}

}  // namespace

TEST_CASE("gradcheck accepts the right gradient") {
  CHECK(verdict([](Tensor dY, Tensor X) { return dY * X * 2; }) == "");
}

TEST_CASE("gradcheck names op, input, element and both numbers when a factor is forgotten") {
  CHECK_THAT(verdict([](Tensor dY, Tensor X) { return dY * X; }),
             ContainsSubstring("square of [2, 3]: the gradient of input 0 at element 0 is ") &&
                 ContainsSubstring(" by backward and ") &&
                 ContainsSubstring(" by central differences"));
}

TEST_CASE("gradcheck finds a gradient that ignores the upstream one") {
  CHECK_THAT(verdict([](Tensor, Tensor X) { return X * 2; }),
             ContainsSubstring("the gradient of input 0"));
}

TEST_CASE("gradcheck finds one wrong element among right ones") {
  CHECK_THAT(verdict([](Tensor dY, Tensor X) {
               const Tensor dX = dY * X * 2;
               dX.data()[5] *= Scalar(1.05);
               return dX;
             }),
             ContainsSubstring("at element 5"));
}

TEST_CASE("gradcheck finds that no gradient arrives") {
  CHECK(verdict([](Tensor, Tensor) { return Tensor(); }) ==
        "square of [2, 3]: input 0 got no gradient");
}

TEST_CASE("gradcheck finds a gradient that overwrites what was saved") {
  CHECK_THAT(verdict([](Tensor dY, Tensor X) {
               const Tensor dX = dY * X * 2;
               X.data()[0] += 1;
               return dX;
             }),
             ContainsSubstring("another one when the tape is walked again"));
}

TEST_CASE("gradcheck finds an op that writes to its input") {
  CHECK_THAT(gradient_error(
                 [](Tensors in) {
                   in[0].data()[0] += Scalar(0.1);
                   return in[0] * 2;
                 },
                 {leaf({3})}),
             ContainsSubstring("input 0 was written to"));
}

TEST_CASE("gradcheck finds an op that is right for leaves only") {
  CHECK_THAT(
      gradient_error([](Tensors in) { return in[0] * (in[0].is_leaf() ? 2 : 3); }, {leaf({3})}),
      ContainsSubstring("another value for computed inputs"));
}

TEST_CASE("gradcheck finds a result that does not depend on its inputs") {
  CHECK(gradient_error([](Tensors in) { return in[0].detach() * 2; }, {leaf({3})}) ==
        "nothing recorded of [3]: the result does not require a gradient");
}

TEST_CASE("gradcheck draws the same random numbers for every difference") {
  gradcheck([](Tensor x) { return x * rand_like(x); }, {leaf({3, 4})});
}

TEST_CASE("gradcheck finds an error of 1e-5") {
  CHECK_THAT(verdict([](Tensor dY, Tensor X) { return dY * X * (2 + 2e-5); }),
             ContainsSubstring("by central differences"));
}
