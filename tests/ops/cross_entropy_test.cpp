#include "tests/support/test.hpp"

const OpExample of_cross_entropy(
    "cross_entropy", [](Tensor x, Tensor ids) { return cross_entropy(x, ids, 1, Scalar(0.25)); },
    "F.cross_entropy(a, b, ignore_index=1, label_smoothing=0.25)",
    [] {
      return Tensors{leaf({3, 3}), Tensor::of({2, 1, 0})};
    });

namespace {

const Tensor logits = Tensor::of({{1, 2, 4}, {3, 4, 0.5}});
const Tensor targets = Tensor::of({0, 2});

}

TEST_CASE("Cross entropy's recorded gradient leaves out ignored rows") {
  for (const Scalar smoothing : {0.0, 0.1}) {
    for (const int64_t ignore : {-100, 0, 2}) {
      const bool many = ignore == 0;  // then the gradient is made in several parts, each of other targets
      const int64_t classes = many ? 9000 : 3;
      const Tensor x = leaf({many ? 40 : 4, classes}), t = Tensor::empty({x.size(0)});
      for (int64_t r = 0; r < t.numel(); ++r) t.data()[r] = Scalar(r * r % 7 % 2 ? ignore : r * r * 5 % classes);
      const auto gradient = [&](bool recorded) {
        return grad({cross_entropy(x, t, ignore, smoothing)}, {x}, {.create_graph = recorded})[0];
      };
      CHECK(allclose(gradient(true), gradient(false), 1e-4, 1e-7));
    }
  }
}

TEST_CASE("Cross entropy of no rows is NaN") {
  const Tensor none = leaf({0, 3}), y = cross_entropy(none, Tensor::zeros({0}));
  y.backward();
  CHECK(text(y) == "nan");
  CHECK(none.grad().shape() == Shape{0, 3});
}

TEST_CASE("An overflowed gradient is infinite, and NaN only at the target") {
  const Tensor x = parameter({{1, 2, 3}});
  cross_entropy(x, Tensor::of({1})).backward(Tensor::full({}, infinity));
  CHECK(text(x.grad()) == "inf nan inf");
}

TEST_CASE("Targets that are no classes or not one a row are refused") {
  for (const Scalar target : {Scalar(3), Scalar(-1), Scalar(0.5), Scalar(NAN)})
    CHECK_ERROR(IndexError, cross_entropy(logits, Tensor::of({1, target})),
        "cross_entropy: target " + text(Tensor::full({}, target)) + " is not one of the 3 classes of [2, 3]");
  CHECK_ERROR(ShapeError, cross_entropy(logits, Tensor::of({1})),
      "cross_entropy: targets of [1] for logits of [2, 3]: not one target a row");
  CHECK_ERROR(
      ShapeError, cross_entropy(leaf({}), 1), "cross_entropy: targets of [] for logits of []: not one target a row");
  for (Scalar smoothing : {Scalar(-0.5), Scalar(1.5)})
    CHECK_ERROR(ValueError, cross_entropy(logits, targets, -100, smoothing),
        text_of("cross_entropy: label_smoothing ", smoothing, " is not in [0, 1]"));
}

TEST_CASE("The sums over a million rows, and over a million classes, lose no digits") {
  const int64_t many = 1 << 20;
  const Scalar by_rows = cross_entropy(Tensor::zeros({many, 2}), Tensor::zeros({many})).item();
  CHECK(std::abs(by_rows / std::log(Scalar(2)) - 1) < 1e-6);
  const Scalar smoothed = cross_entropy(Tensor::zeros({1, many}), Tensor::zeros({1}), -100, 1).item();
  CHECK(std::abs(smoothed / std::log(Scalar(many)) - 1) < 1e-6);
}

TEST_CASE("An ignore_index that no float holds ignores nothing") {
  const Tensor x = parameter({{1, 2}}), target = Tensor::of({16777216});
  if (sizeof(Scalar) == sizeof(float)) CHECK_THROWS_AS(cross_entropy(x, target, 16777217), IndexError);
  CHECK(std::isnan(cross_entropy(x, target, 16777216).item()));
  CHECK_THROWS_AS(cross_entropy(x, target, std::numeric_limits<int64_t>::max()), IndexError);
}
