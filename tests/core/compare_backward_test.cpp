#include "core/watch/compare_backward.hpp"
#include "core/tape/record.hpp"
#include "tests/support/test.hpp"

using Curve = std::function<double(double)>;

namespace {

std::function<Tensor(const Tensor&)> computed;  // f, when a claim is recomputed

// Y = f(X), with a backward function that gives the same gradient for every element.
struct ClaimBackward final : Node {
  static constexpr Formula formula{
      "claim", "Y = f(X)", "dX = g·Σ dY", [](Inputs x, const Attributes&) { return computed(x[0]); }};
  explicit ClaimBackward(Scalar slope) : Node(formula), slope(slope) {}
  void backward(Tensor dY) override { x.add_grad(Tensor::full(x.shape, slope * sum(dY).item())); }
  Input x{this};
  Scalar slope;
};

Tensor column(const std::vector<Curve>& fs, const Tensor& x) {
  Tensor y = Tensor::empty({std::ssize(fs)});
  for (size_t i = 0; i < fs.size(); ++i) y.data()[i] = Scalar(fs[i](x.item()));
  return y;
}

// The report on a backward function that gives all fs' gradients at x.
Comparisons compared(const std::vector<Curve>& fs, Scalar x, Scalar gradient, Scalar dY = 1) {
  const KeepLedger on(true);
  const Tensor leaf = Tensor::full({}, x).requires_grad_();
  const Tensor* const operands[] = {&leaf};
  auto node = record<ClaimBackward>(operands, Loc{}, gradient / (dY * Scalar(fs.size())));
  const Node& claim = *node;
  const Tensor y = on_tape(column(fs, leaf.detach()), std::move(node));
  const Tensor sent = Tensor::full(y.shape(), dY);
  y.backward(sent, true);
  Comparisons counts;
  int64_t told = 0;
  compare_backward(claim, sent, counts, [&](auto&, size_t, int64_t, double, double) { ++told; });
  CHECK(told == counts.wrong);
  return counts;
}

Comparisons compared(const Curve& f, Scalar x, Scalar gradient, Scalar dY = 1) {
  computed = [f](const Tensor& x) { return column({f}, x); };
  return compared(std::vector{f}, x, gradient, dY);
}

bool right(const Comparisons& counts) {
  return counts.compared == 1 && counts.wrong == 0 && counts.kinks == 0 && counts.unclear == 0;
}

bool wrong(const Comparisons& counts) {
  return counts.compared == 1 && counts.wrong == 1 && counts.kinks == 0 && counts.unclear == 0;
}

bool kink(const Comparisons& counts) { return counts.kinks == 1 && counts.compared == 0; }

bool unclear(const Comparisons& counts) { return counts.unclear == 1 && counts.compared == 0; }

const Curve steep = [](double x) { return 100 * x; };

}

TEST_CASE(
    "A gradient is right within a hundredth, and wrong beyond what rounding hides of the smallest "
    "step") {
  CHECK(right(compared(steep, 1, 100)));
  CHECK(right(compared(steep, 1, 100.5f)));
  CHECK(wrong(compared(steep, 1, 130)));
  CHECK(wrong(compared(steep, 1, 120)));  // of which rounding hides an eighth
  CHECK(wrong(compared(steep, 1, 0)));
  CHECK(wrong(compared(steep, 1, -100)));
  for (const Scalar x : {infinity, -infinity}) CHECK(wrong(compared(steep, 1, x)));
  CHECK(right(compared(steep, 1, 300, 3)));
  CHECK(right(compared(steep, 1000, 100)));  // by steps of the size of x
  CHECK(right(compared(steep, -1000, 100)));
}

TEST_CASE("The difference is relative to the larger of both") {
  CHECK(compared(steep, 1, 100.5f).difference == Approx(0.5 / 100.5).margin(1e-4));
  CHECK(compared(steep, 1, 50).difference == Approx(0.5).margin(1e-3));
  CHECK(compared(steep, 1, 400).difference == Approx(0.75).margin(1e-3));
  CHECK(compared([](double) { return 0; }, 1, 0).difference == 0);
}

TEST_CASE("A difference within rounding is not wrong, but unclear") {
  CHECK(wrong(compared([](double) { return 1e-5; }, 1, 1e-6f)));
  for (const double sign : {1., -1.})  // of Y
    for (const Scalar dY : {1, -1}) {
      CAPTURE(sign, dY);
      CHECK(unclear(compared([=](double x) { return sign * 1e6 + x; }, 1, dY, dY)));
      const std::vector<Curve> sums{[=](double x) { return sign * 1000 + x; }, [](double x) { return x; }};
      computed = [sums](const Tensor& x) { return column(sums, x); };
      CHECK(right(compared(sums, 1, 2 * dY, dY)));
      CHECK(right(compared(sums, 1, 2.2f * dY, dY)));  // of 0.24 that it may be
      CHECK(wrong(compared(sums, 1, 2.5f * dY, dY)));
    }
}

TEST_CASE("At a kink any slope between the two sides is right, within rounding") {
  const Curve relu = [](double x) { return 1 + std::max(x, 0.); };
  CHECK(kink(compared(relu, 0, 0)));
  CHECK(kink(compared(relu, 0, 1)));
  CHECK(kink(compared(relu, 0, 0.9f)));
  CHECK(kink(compared(relu, 0, 1.01f)));
  CHECK(kink(compared(relu, 0, -0.01f)));
  CHECK(wrong(compared(relu, 0, 1.5f)));
  CHECK(wrong(compared(relu, 0, -0.5f)));
  CHECK(right(compared(relu, 1, 1)));
}

TEST_CASE("Four steps are tried, each an eighth of the one before") {
  const auto defined_within = [](double distance) {
    return Curve([=](double x) { return std::abs(x - 1) < distance ? x - 1 : std::nan(""); });
  };
  CHECK(right(compared(defined_within(1), 1, 1)));
  CHECK(right(compared(defined_within(1. / 256 / 8 / 8 / 6), 1, 1)));
  CHECK(unclear(compared(defined_within(1. / 256 / 8 / 8 / 8 / 6), 1, 1)));
}

TEST_CASE("Nothing is compared if a recompute differs from the recorded output") {
  computed = [](const Tensor& x) { return column({steep}, x) + 1; };
  const Comparisons counts = compared(std::vector{steep}, 1, 100);
  CHECK(counts.compared + counts.unclear + counts.kinks == 0);
}
