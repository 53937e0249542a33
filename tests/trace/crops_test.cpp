#include "core/trace/crops.hpp"

#include "core/check.hpp"
#include "core/tape/record.hpp"
#include "core/trace/trace.hpp"
#include "ops/ops.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/message.hpp"

namespace {

// An op whose Traits say a sum over one more tensor than it has, or over one more dimension.
template <const char* const& sums>
struct MisfitBackward final : Node {
  static constexpr Formula formula{"misfit", "Y = X", "dX = dY", {}, Traits{.sums = sums}};
  MisfitBackward() : Node(formula) {}
  void backward(Tensor dY) override { x.add_grad(std::move(dY)); }
  Input x{this};
};
constexpr const char *two_inputs = "ij,j->ij", *three_dims = "ijk->ijk";

template <class N>
std::string refused() {
  const Tensor x = Tensor::ones({2, 3}).requires_grad_();
  const Arg a = x;
  return message<ValueError>([&] { to_html(on_tape(x.clone(), record<N>(a))); });
}

}

// By gradients it is known what a number is computed from: an element of y from each element of x
// by which its derivative is not 0, an element of dX likewise from dY and x.
TEST_CASE("The page has each tensor's largest number, and every term of an element of y or dX") {
  const KeepLedger on(true);
  using X = const Tensors&;
  using Op = Tensor (*)(X);
  const Op product = [](X x) { return matmul(x[0], x[1]); };
  for (const auto& [f, shapes] : std::vector<std::pair<Op, std::vector<Shape>>>{{product, {{20, 30}, {30, 25}}},
           {product, {{3, 20, 30}, {3, 30, 25}}}, {product, {{2, 3, 20, 30}, {3, 30, 25}}},
           {product, {{20, 30}, {4, 30, 25}}}, {product, {{3, 1, 20, 30}, {2, 30, 25}}},
           {[](X x) { return linear(x[0], x[1]); }, {{20, 30}, {25, 30}}},
           {[](X x) { return x[0] + x[1]; }, {{2, 20, 30}, {30}}},
           {[](X x) { return x[0] * x[1]; }, {{2, 10, 30}, {2, 10, 30}}},
           {[](X x) {
              return permute(x[0], {2, 0, 1});
            },
               {{3, 20, 30}}},
           {[](X x) { return softmax(x[0], -1); }, {{3, 20, 30}}},
           {[](X x) { return log_softmax(x[0], -1); }, {{20, 30}}}, {[](X x) { return cumsum(x[0], 1); }, {{20, 30}}},
           {[](X x) { return cumsum(x[0], 0); }, {{20, 30}}}, {[](X x) { return sum(x[0], {0}); }, {{20, 30}}},
           {[](X x) {
              return sum(x[0], {0, 2}, true);
            },
               {{4, 20, 30}}},
           {[](X x) { return stddev(x[0], {1}); }, {{20, 30}}},
           {[](X x) { return layer_norm(x[0], Tensor::full({30}, 2), Tensor::ones({30})); }, {{3, 20, 30}}},
           {[](X x) { return cross_entropy(x[0], arange(20)); }, {{20, 30}}}}) {
    Tensors all;
    for (const Shape& shape : shapes)
      all.push_back(Tensor::randn(shape).requires_grad_().set_name("x" + std::to_string(all.size())));
    const Tensor y = f(all).set_name("y"), loss = sum(y * y);
    loss.backward({}, true);
    const Recording tape = recording_of(loss, 100);
    const Tensor dY = std::ranges::find(tape.steps, 0, &Recording::Step::op)->dY,
                 seed = Tensor::randn(y.shape()).requires_grad_();
    all.push_back(y);
    for (const Tensor& asked : all)
      for (const int64_t i : {asked.numel() / 2 + 1, asked.numel() - 1}) {
        if (asked.numel() == 1) continue;  // of a whole tensor
        Cell cell{std::string(asked.name()), {}};
        int64_t rest = i;
        for (int d = asked.dim() - 1; d >= 0; rest /= asked.size(d--))
          cell.index.insert(cell.index.begin(), rest % asked.size(d));
        const Crops crops(tape, cell);
        CHECK(crops.asked_cell == i);
        Tensor one = Tensor::zeros(asked.shape());
        one.data()[i] = 1;
        Tensors from(all.begin(), all.end() - 1);
        const Tensor again = f(from);
        const GradOptions options{.grad_outputs = {seed}, .create_graph = true};
        const Tensor number = sum(one * (asked.is(y) ? again : grad({again}, {asked}, options)[0]));
        from.push_back(seed);
        const Tensors terms = grad({number}, from, {.allow_unused = true});
        for (size_t k = 0; k < terms.size(); ++k) {
          if (!terms[k].defined()) continue;
          const Tensor& x = from[k].is(seed) ? dY : from[k];
          INFO(y.node()->op() << ' ' << asked.name() << ' ' << i << ": tensor " << k);
          const Crop& crop = *crops.of(x);
          const int64_t n = x.dim() ? x.size(-1) : 1;
          int64_t missing = 0;
          for (int64_t j = 0; j < x.numel(); ++j)
            missing += terms[k].data()[j] != 0 && !crop.whole_rows.count(j / n) && !crop.whole_columns.count(j % n) &&
                !crop.single.count(j) && !(crop.rows.count(j / n) && crop.columns.count(j % n));
          CHECK(missing == 0);
          for (const auto& [rows, columns] :
              {std::pair{&crop.rows, &crop.columns}, {&crop.whole_rows, &crop.whole_columns}})
            CHECK(((rows->empty() || *rows->rbegin() < x.numel() / n) && (columns->empty() || *columns->rbegin() < n)));
          CHECK(crop.single.count(argmax(abs(x.detach()).reshape({x.numel()}), 0).item()));
        }
      }
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

TEST_CASE("Without a cell the page asks about the largest gradient in view of the largest leaf") {
  const KeepLedger on(true);
  for (const std::vector<int64_t>& sizes :
      {std::vector<int64_t>{3, 3, 3}, {2, 3, 3}, {3, 2, 3}, {3, 3, 2}, {2, 3, 4}, {4, 3, 2}, {2, 4, 3}}) {
    Tensor total;
    for (const int64_t size : sizes) {
      const Tensor y = sum(Tensor::ones({size}).requires_grad_().set_name("x"));
      total = total.defined() ? total + y : y;
    }
    total.backward({}, true);
    const Recording tape = recording_of(total, 100);
    const int asked = Crops(tape, {}).asked_value;
    std::vector<int> leaves;
    for (size_t i = 0; i < tape.values.size(); ++i)
      if (tape.values[i].op < 0) leaves.push_back(int(i));
    CHECK(asked == leaves[std::ranges::max_element(sizes) - sizes.begin()]);  // of one size: the first
    CHECK(Crops(tape, {"x", {0}}).asked_value == leaves[0]);                  // likewise of one name
  }
  const auto asked = [](const Tensor& slopes) {
    const Tensor x = Tensor::zeros(slopes.shape()).requires_grad_();
    const Tensor loss = sum(x * slopes);
    loss.backward({}, true);
    return Crops(recording_of(loss, 100), {}).asked_cell;
  };
  for (const auto& [slopes, at] : std::vector<std::pair<Values, int64_t>>{{{2, NAN, -infinity, 5}, 2},
           {{NAN, 3, -4}, 2}, {{4, -4, 4}, 0}, {{NAN, NAN}, 0}, {{0, 0, 0, 0, 0, 0, 0, 0, 3}, 8}})
    CHECK(asked(Tensor::from(slopes, {std::ssize(slopes)})) == at);  // NaN has no size
  const Tensor corner = Tensor::zeros({9, 9});
  corner[7][7] = 1, corner[7][8] = 2, corner[8][7] = 3;
  CHECK(asked(corner) == 7 * 9 + 7);  // the other two are not in view
  for (const auto& [weights, five] : std::vector<std::pair<Tensor, std::set<int64_t>>>{
           {arange(100.), {95, 96, 97, 98, 99}}, {Tensor::of({1, -2, 2}).repeat({30}), {1, 2, 4, 5, 7}}}) {
    const Tensor x = weights.requires_grad_(), loss = sum(x);
    loss.backward({}, true);
    CHECK(Crops(recording_of(loss, 100), {}).of(x)->single == five);  // the heaviest, the first of equal ones
  }
}

TEST_CASE("A page refuses a cell that is not there") {
  const KeepLedger on(true);
  const Tensor loss = sum(Tensor::ones({70, 90}).requires_grad_().set_name("w"));
  CHECK_THROWS_AS(to_html(loss, {"v", {0}}), ValueError);
  for (const Shape& index : {Shape{0}, Shape{0, 90}, Shape{70, 0}, Shape{-1, 0}})
    CHECK_THROWS_AS(to_html(loss, {"w", {index.begin(), index.end()}}), IndexError);
}

TEST_CASE("A sum that an op says and that does not fit its tensors is refused") {
  const std::string why = "misfit: its inputs and output are not as its Traits say: ";
  CHECK(refused<MisfitBackward<two_inputs>>() == why + two_inputs);
  CHECK(refused<MisfitBackward<three_dims>>() == why + three_dims);
}

TEST_CASE("Whole rows and columns that a sum runs over are written, unless a page has no room") {
  const KeepLedger on(true);
  const auto page = [](int64_t rows, int64_t columns, const Cell& asked) {
    const Tensor x = Tensor::randn({rows, columns}).requires_grad_().set_name("x");
    const Tensor w = Tensor::randn({columns, 5}).requires_grad_().set_name("w");
    const Tensor y = matmul(x, w).set_name("y"), loss = sum(y * y);
    loss.backward({}, true);
    return to_html(loss, asked);
  };
  const Tensor x = Tensor::full({300, 200}, Scalar(0.5)).requires_grad_().set_name("x");
  CHECK(count(to_html(sum(x * x), {"x", {100, 150}}),
            "{\"rows\":[[0,8],[97,104]],\"columns\":[[0,8],[147,154]],\"v\":\"") > 1);
  CHECK(count(page(300, 200, {"y", {100, 2}}), "]],\"columns\":[[0,200]],\"v\"") > 0);
  CHECK(count(page(300, 200, {"w", {150, 2}}), "{\"rows\":[[0,300]],\"columns\":[[") > 0);
  const std::string full = page(20, 8000, {"y", {10, 2}});  // the smallest first
  CHECK(count(full, "]],\"columns\":[[0,8000]],\"v\"") == 0);
  CHECK(count(full, "{\"rows\":[[0,8000]],") > 0);
  for (const int64_t n : {31'875, 31'876}) {  // there is room for 63750 numbers
    const std::string row = to_html(sum(softmax(Tensor::randn({1, n}).requires_grad_(), -1)));
    CHECK(count(row, ",\"columns\":[[0," + std::to_string(n) + "]]") == (n == 31'875 ? 2 : 1));
  }
}
