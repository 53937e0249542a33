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

}

TEST_CASE("gradcheck accepts the right gradient, and says what is wrong with others") {
  const std::pair<Gradient, std::vector<std::string>> gradients[] = {
      {[](Tensor dY, Tensor X) { return dY * X * 2; }, {}},
      {[](Tensor dY, Tensor X) { return dY * X; },  // a factor is forgotten
          {"square of [2, 3]: the gradient of input 0 at element 0 is ", " by backward and ",
              " by central differences"}},
      {[](Tensor dY, Tensor X) { return dY * X * (2 + 2e-5); }, {"by central differences"}},
      {[](Tensor, Tensor X) { return X * 2; }, {"the gradient of input 0"}},
      {[](Tensor dY, Tensor X) { return dY * X * 2 / 0; }, {"inf by backward and "}},
      {[](Tensor dY, Tensor X) {
         const Tensor dX = dY * X * 2;
         dX.data()[5] *= Scalar(1.05);
         return dX;
       },
          {"at element 5"}},
      {[](Tensor, Tensor) { return Tensor(); }, {"square of [2, 3]: input 0 got no gradient"}},
      {[](Tensor dY, Tensor X) {
         const Tensor dX = dY * X * 2;
         X.data()[0] += 1;
         return dX;
       },
          {"another one when the tape is walked again"}},
  };
  for (const auto& [gradient, parts] : gradients) {
    const std::string said = verdict(gradient);
    CHECK(said.empty() == parts.empty());
    for (const std::string& part : parts) CHECK_THAT(said, ContainsSubstring(part));
  }
}

TEST_CASE("gradcheck finds ops that write to inputs, are right for leaves only, or drop the tape") {
  const std::pair<Function, const char*> ops[] = {
      {[](Tensors in) {
         in[0].data()[0] += Scalar(0.1);
         return in[0] * 2;
       },
          "input 0 was written to"},
      {[](Tensors in) { return in[0] * (in[0].is_leaf() ? 2 : 3); }, "another value for computed inputs"},
      {[](Tensors in) { return in[0].detach() * 2; },
          "nothing recorded of [3]: the result does not require a gradient"},
  };
  for (const auto& [op, said] : ops) CHECK_THAT(gradient_error(op, {leaf({3})}), ContainsSubstring(said));
}

TEST_CASE("gradcheck draws the same random numbers for every difference") {
  gradcheck([](Tensor x) { return x * rand_like(x); }, {leaf({3, 4})});
}
