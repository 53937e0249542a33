#include "core/trace/crops.hpp"

#include "core/check.hpp"
#include "core/trace/trace.hpp"
#include "core/watch/ledger.hpp"
#include "ops/ops.hpp"
#include "tests/support/expect.hpp"

using namespace stepgrad;

namespace {

// sum(tanh(x·w) + b), walked: x [40, 70], w [70, 90], b [90].
struct Walked {
  KeepLedger on{true};
  Tensor x = Tensor::randn({40, 70}).requires_grad_().set_name("x");
  Tensor w = Tensor::randn({70, 90}).requires_grad_().set_name("w");
  Tensor b = Tensor::randn({90}).requires_grad_().set_name("b");
  Tensor loss = sum(tanh(matmul(x, w)) + b);
  Recording tape = (loss.backward({}, true), recording_of(loss, 100));
  const Recording::Step& gradient_of(const char* op) const {
    return *std::ranges::find_if(tape.steps, [&](const Recording::Step& step) {
      return step.op >= 0 && tape.ops[step.op].node->op() == std::string_view(op);
    });
  }
};

}  // namespace

TEST_CASE(
    "The cell asked for is on the page, with the whole row and column that its sum runs over") {
  const Walked net;
  const Crops crops(net.tape, {"w", {50, 80}});
  CHECK(crops.asked_cell == 50 * 90 + 80);
  CHECK(net.tape.values[crops.asked_value].name == "w");
  const Tensor& dY = net.gradient_of("matmul").dY;
  const Crop &w = *crops.of(net.w), &x = *crops.of(net.x), &y = *crops.of(dY);
  for (const int64_t near : {47, 50, 53, 0, 7}) CHECK(w.rows.count(near));
  CHECK(w.columns.count(80));
  CHECK_FALSE(w.rows.count(8));
  CHECK(x.columns.count(50));  // w's rows are x's columns
  CHECK(y.columns.count(80));
  CHECK_FALSE(y.whole_columns.count(60));
  CHECK(crops.of(net.b)->columns.count(80));  // that column's bias
}

// Y = X·W or X·Vᵀ; dX, dW and dV are products, too, and the sums of a number run over rows or
// columns.
TEST_CASE("The page has every term of an element of a matmul and of its gradients") {
  const KeepLedger on(true);
  const Tensor x = Tensor::randn({40, 70}).requires_grad_().set_name("x");
  const Tensor w = Tensor::randn({70, 90}).requires_grad_().set_name("w");
  const Tensor v = Tensor::randn({90, 70}).requires_grad_().set_name("v");
  for (const bool transposed : {false, true}) {
    const Tensor y = (transposed ? linear(x, v) : matmul(x, w)).set_name("y");
    const Tensor loss = sum(y * y);
    loss.backward({}, true);
    const Recording tape = recording_of(loss, 100);
    const Tensor dY = std::ranges::find_if(tape.steps, [](const Recording::Step& step) {
                        return step.op == 0;
                      })->dY;
    const auto crops = [&](const char* name, int64_t i, int64_t j) {
      return Crops(tape, {name, {i, j}});
    };
    const auto right = [&](const Crops& all, int64_t k, bool row_of_w) {  // of W, or of V
      const Crop& crop = *all.of(transposed ? v : w);
      return (row_of_w == transposed ? crop.whole_columns : crop.whole_rows).count(k);
    };
    const Crops of_y = crops("y", 30, 80), of_x = crops("x", 30, 60);
    CHECK(of_y.of(x)->whole_rows.count(30));
    CHECK(right(of_y, 80, false));
    CHECK(of_x.of(dY)->whole_rows.count(30));
    CHECK(right(of_x, 60, true));
    const Crops of_w = transposed ? crops("v", 80, 50) : crops("w", 50, 80);
    CHECK(of_w.of(x)->whole_columns.count(50));
    CHECK(of_w.of(dY)->whole_columns.count(80));
  }
}

TEST_CASE("Views of the same data have rows and columns of their own") {
  const KeepLedger on(true);
  const Tensor w = Tensor::randn({2048, 3}).requires_grad_().set_name("w");
  const Tensor v = w.view({6144});
  const Tensor loss = sum(v * v);
  const Recording tape = recording_of(loss, 100);
  const Crops crops(tape, {});
  REQUIRE(w.data() == v.data());
  CHECK(crops.of(w)->columns == std::set<int64_t>{0, 1, 2});
  CHECK(crops.of(v)->rows == std::set<int64_t>{0});
  CHECK(crops.of(v)->columns.count(7));
}

TEST_CASE("No crop reaches beyond its tensor, in whatever batch the largest gradient is") {
  const KeepLedger on(true);
  const Tensor a = Tensor::randn({3, 20, 30}).requires_grad_().set_name("a");
  const Tensor b = Tensor::randn({3, 30, 40}).requires_grad_().set_name("b");
  const Tensor loss = sum(matmul(a, b));
  loss.backward({}, true);
  const Recording tape = recording_of(loss, 100);
  const Crops crops(tape, {"b", {2, 29, 39}});
  for (const Tensor& x : {a, b, loss})
    if (const Crop* crop = crops.of(x)) {
      const int64_t columns = x.dim() ? x.size(-1) : 1;
      for (const auto& all : {crop->columns, crop->whole_columns})
        for (const int64_t i : all) CHECK(i < columns);
      for (const auto& all : {crop->rows, crop->whole_rows})
        for (const int64_t i : all) CHECK(i < x.numel() / columns);
    }
}

TEST_CASE("Without a cell the page asks about the largest gradient of the largest leaf") {
  const Walked net;
  const Crops crops(net.tape, {});
  CHECK(net.tape.values[crops.asked_value].name == "w");
  const Values grad = net.w.grad().to_vector();
  for (const Scalar g : grad) CHECK(std::abs(g) <= std::abs(grad[crops.asked_cell]));
  CHECK(crops.of(net.w)->rows.size() >= 8);
  const auto asked = [](const Values& slopes) {
    const Tensor x = Tensor::zeros({std::ssize(slopes)}).requires_grad_();
    const Tensor loss = sum(x * Tensor::from(slopes, x.shape()));
    loss.backward({}, true);
    return Crops(recording_of(loss, 100), {}).asked_cell;
  };
  CHECK(asked({2, NAN, -infinity, 5}) == 2);  // NaN has no size
  CHECK(asked({NAN, 3, -4}) == 2);
  CHECK(asked({NAN, NAN}) == 0);
}

TEST_CASE("A page refuses a cell that is not there") {
  const Walked net;
  CHECK_THROWS_AS(to_html(net.loss, nullptr, {"v", {0}}), ValueError);
  CHECK_THROWS_AS(to_html(net.loss, nullptr, {"w", {0}}), IndexError);
  CHECK_THROWS_AS(to_html(net.loss, nullptr, {"w", {0, 90}}), IndexError);
  CHECK_THROWS_AS(to_html(net.loss, nullptr, {"w", {-1, 0}}), IndexError);
}

TEST_CASE("Crops are JSON as ranges of rows and columns") {
  const KeepLedger on(true);
  const Tensor x = Tensor::full({300, 200}, Scalar(0.5)).requires_grad_().set_name("x");
  const std::string page = to_html(sum(x * x), nullptr, {"x", {100, 150}});
  CHECK(count(page, "{\"rows\":[[0,8],[97,104]],\"columns\":[[0,8],[147,154]],\"v\":\"") > 1);
}

TEST_CASE("Whole rows and columns that a sum runs over are written, unless a page has no room") {
  const KeepLedger on(true);
  const auto page = [](int64_t rows, int64_t columns, const Cell& asked) {
    const Tensor x = Tensor::randn({rows, columns}).requires_grad_().set_name("x");
    const Tensor w = Tensor::randn({columns, 5}).requires_grad_().set_name("w");
    const Tensor y = matmul(x, w).set_name("y"), loss = sum(y * y);
    loss.backward({}, true);
    return to_html(loss, nullptr, asked);
  };
  CHECK(count(page(300, 200, {"y", {100, 2}}), "]],\"columns\":[[0,200]],\"v\"") > 0);
  CHECK(count(page(300, 200, {"w", {150, 2}}), "{\"rows\":[[0,300]],\"columns\":[[") > 0);
  CHECK(count(page(20, 8000, {"y", {10, 2}}), "]],\"columns\":[[0,8000]],\"v\"") == 0);
}
