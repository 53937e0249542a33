// Lifetimes: nothing that a gradient needs dies early, and nothing remains.
#include <stdexcept>

#include "core/memory/storage.hpp"
#include "core/tape/record.hpp"
#include "tests/support/parameter.hpp"
#include "tests/support/test.hpp"

namespace {

// The live nodes and storages, to be compared with an earlier count.
struct LiveCounts {
  int64_t nodes = live_nodes(), storages = live_storages();
  bool operator==(const LiveCounts&) const = default;
};
std::ostream& operator<<(std::ostream& out, const LiveCounts& live) {
  return out << live.nodes << " nodes, " << live.storages << " storages";
}

Tensor small_loss(const Tensor& x) {
  const Tensor h = relu(x * x + 1);
  return mean(h * dropout_mask(h, Scalar(0.5)) + log_softmax(h));
}

}

// ---- Nothing dies early

TEST_CASE("Borrowed memory is released once, with its last user") {
  Scalar numbers[] = {1, 2};
  int given_back = 0;
  const auto give_back = [](void* count) { ++*static_cast<int*>(count); };
  {
    const Tensor x = Tensor::over(Storage::borrow(numbers, 2, give_back, &given_back), {2});
    const Tensor view = x.reshape({1, 2}), y = x + 1;
    CHECK(view.data() == numbers);
    CHECK(y.to_vector() == Values{2, 3});
    CHECK(given_back == 0);
  }
  CHECK(given_back == 1);
  CHECK(numbers[1] == 2);
}

namespace {

// Y = X, which notes whether its saved tensor still exists after take().
struct TakingBackward final : Node {
  static constexpr Formula formula{"taking", "Y = X", "dX = dY"};
  explicit TakingBackward(bool* stays) : Node(formula), stays(stays) {}
  void backward(Tensor dY) override {
    take(X);
    *stays = X.defined();
    x.add_grad(std::move(dY));
  }
  Input x{this};
  Saved X{this, "X"};
  bool* stays;
};

}

TEST_CASE("take() frees a saved tensor at once, unless the tape is retained") {
  const KeepLedger off(false);
  const Tensor x = parameter({1});
  bool stays = false;
  const Tensor* const operands[] = {&x};
  auto node = record<TakingBackward>(operands, Loc{}, &stays);
  node->X = x;
  const Tensor y = on_tape(Tensor::of({1}), std::move(node));
  y.backward({}, true);
  CHECK(stays);
  y.backward();
  CHECK_FALSE(stays);
}

// ---- Nothing stays behind

TEST_CASE("Nothing is left of a tape that was walked, not walked, walked twice or left halfway") {
  const LiveCounts before;
  for (const int passes : {0, 1, 2}) {
    const Tensor loss = small_loss(parameter({1, 2}));
    if (passes == 2) loss.backward({}, true);
    if (passes > 0) loss.backward();
  }
  CHECK(LiveCounts() == before);
  {
    const Tensor x = parameter({1, 2}), h = x * x, loss = sum(h * h);
    h.register_hook([](const Tensor&) -> Tensor { throw std::runtime_error("from a hook"); });
    CHECK_THROWS_WITH(loss.backward(), "from a hook");
  }
  CHECK(LiveCounts() == before);
}

TEST_CASE("A hook lets go of the tensor that it owns: an op's after a pass, a leaf's if removed") {
  const LiveCounts before;
  {
    const Tensor x = parameter({1, 2}), h = x * 2;
    h.register_hook([h](const Tensor& g) { return g * h; });
    sum(h).backward();
    CHECK(x.grad().to_vector() == Values{4, 8});
  }
  CHECK(LiveCounts() == before);
  {
    const Tensor x = parameter({1, 2});
    const int number = x.register_hook([x](const Tensor& g) { return g * x; });
    sum(x * 2).backward();
    CHECK(x.grad().to_vector() == Values{2, 4});
    x.remove_hook(number);
  }
  CHECK(LiveCounts() == before);
}

TEST_CASE("A hook that owns its loss lets go of it when it is removed, if no pass ran to its end") {
  const LiveCounts before;
  for (const bool throws : {false, true}) {
    const Tensor h = parameter({1, 2}) * 2, loss = sum(h);
    const int number = h.register_hook([loss](const Tensor&) -> Tensor { throw 1; });
    if (throws) CHECK_THROWS_AS(loss.backward(), int);
    h.remove_hook(number);
  }
  CHECK(LiveCounts() == before);
}

TEST_CASE("A tensor whose gradient is computed from it can die") {
  const LiveCounts before;
  {
    const Tensor x = parameter({1, 2});
    x.set_grad(x * 2);
    CHECK(x.grad().to_vector() == Values{2, 4});
    CHECK_FALSE(x.grad().requires_grad());
  }
  CHECK(LiveCounts() == before);
}
