// Shared by add, sub, mul and div: what they refuse, and writing in place.
#include "ops/remainder.hpp"
#include "tests/support/test.hpp"

const OpExample of_sub("sub", sub, "a - b", Shapes{{2, 3}, {3}});
const OpExample of_mul("mul", mul, "a * b", Shapes{{2, 3}, {3}});

namespace {

struct Arithmetic {
  std::string name;
  std::function<Tensor(Arg, Arg)> op;
  std::function<Tensor(Tensor, Arg)> in_place;
};

const std::vector<Arithmetic> four{
    {"add", add, &Tensor::add_},
    {"sub", sub, &Tensor::sub_},
    {"mul", mul, &Tensor::mul_},
    {"div", stepgrad::div, &Tensor::div_},
};

}

TEST_CASE("Shapes that do not broadcast are refused, in the order in which they were given") {
  const std::pair<std::string, std::function<Tensor(Arg, Arg)>> ops[] = {{"add", add}, {"sub", sub}, {"mul", mul},
      {"div", stepgrad::div}, {"pow", stepgrad::pow}, {"eq", eq}, {"ne", ne}, {"gt", gt}, {"ge", ge}, {"lt", lt},
      {"le", le}, {"maximum", maximum}, {"minimum", minimum}, {"remainder", stepgrad::remainder},
      {"floor_divide", floor_divide}, {"allclose", [](Arg a, Arg b) { return Tensor::of(allclose(a, b)); }}};
  for (const auto& [name, op] : ops) {
    const auto refused = [op = op](const Shape& a, const Shape& b) {
      return message<ShapeError>([&] { op(Tensor::ones(a), Tensor::ones(b)); });
    };
    CHECK(refused({2, 3}, {4, 3}) == name + ": [2, 3] and [4, 3] do not broadcast, 2 != 4");
    CHECK(refused({4, 3}, {2, 3}) == name + ": [4, 3] and [2, 3] do not broadcast, 4 != 2");
    CHECK(refused({0}, {2}) == name + ": [0] and [2] do not broadcast, 0 != 2");
    CHECK(refused({2, 3}, {4, 2, 1, 2}) == name + ": [2, 3] and [4, 2, 1, 2] do not broadcast, 3 != 2");
  }
}

TEST_CASE("What is written in place is recorded: into a constant, an op's output, and of itself") {
  for (const Arithmetic& math : four) {
    INFO(math.name);
    const auto f = [&](Tensor x) { return math.in_place(Tensor::full({2, 3}, 4.), x); };
    gradcheck(f, {leaf({3}, {0})});
    gradcheck([&](Tensor x, Tensor b) { return math.in_place(x * 2, b) * x; }, {leaf({2, 3}), leaf({3}, {0})});
    const auto of_itself = [&](Tensor x) {
      const Tensor y = x * 2;
      return math.in_place(y, y) * x;
    };
    gradcheck(of_itself, {leaf({3}, {0})});
  }
}

TEST_CASE("A result that does not fit in place is refused, and nothing changes") {
  for (const Arithmetic& math : four) {
    const std::string name = math.name + "_: ";
    const Tensor a = Tensor::of({1, 2, 3}), w = parameter({1, 2, 3});
    CHECK_ERROR(ShapeError, math.in_place(a, Tensor::ones({2, 3})),
        name + "the result of shape [2, 3] does not fit in place into [3]");
    CHECK_ERROR(ShapeError, math.in_place(a, Tensor::ones({2})), name + "[3] and [2] do not broadcast, 3 != 2");
    CHECK_ERROR(TapeError, math.in_place(w, 2),
        name +
            "[3] is a leaf that requires a gradient and may be changed in place only "
            "under NoGrad (in Python: torch.no_grad())");
    for (const Tensor& x : {a, w}) {
      CHECK(x.to_vector() == Values{1, 2, 3});
      CHECK(x.storage()->version() == 0);
    }
    const NoGrad no_grad;
    CHECK(math.in_place(w, 2).to_vector() == math.op(a, 2).to_vector());
    CHECK(w.storage()->version() == 1);
  }
}
