// A third program for the debugger's tests: what readers write outside of namespace stepgrad. An
// op, modules, structs and lists of tensors; a hook; a shape by reference; an error that nobody
// catches.
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "core/tape/record.hpp"
#include "nn/linear.hpp"
#include "ops/ops.hpp"

using stepgrad::Arg;
using stepgrad::Tensor;

namespace {

// Y = X∘X        dX = 2·dY∘X
struct SquareBackward final : stepgrad::Node {
  static constexpr stepgrad::Formula formula{"square", "Y = X∘X", "dX = 2·dY∘X"};
  SquareBackward() : Node(formula) {}
  void backward(Tensor dY) override { x.add_grad(2 * dY * X); }
  stepgrad::Input x{this};
  stepgrad::Saved X{this, "X"};
};

Tensor square(Arg x) {
  auto node = stepgrad::record<SquareBackward>(x);
  if (node) node->X = x.tensor;
  return stepgrad::on_tape(x.tensor * x.tensor.detach(), std::move(node));
}

}  // namespace

struct Pair : stepgrad::nn::Module<Pair> {
  Tensor forward(Tensor x) {
    x = up(x);
    return down(x);
  }
  template <class Visit>
  void parts(Visit visit) {
    visit("up", up), visit("down", down);
  }
  stepgrad::nn::Linear up{2, 3}, down{3, 2};
};

struct Plain {
  Tensor inner = Tensor::ones({1, 2});
  struct {
    Tensor deep = Tensor::ones({2, 1});
  } untagged;
};

namespace stepgrad {
static int checkers() { return 64; }  // a name like those of our checks
}  // namespace stepgrad

static int mine();
static std::atomic<int> ticks;  // of another thread

static int64_t first_size(const stepgrad::Shape& shape) { return shape[0]; }

int main(int argc, char**) {
  stepgrad::manual_seed(0);
  Pair pair;
  pair.name_parameters();
  const Plain plain;
  const std::vector<Tensor> list{Tensor::ones({7}), Tensor::zeros({8})};
  const Tensor x = Tensor::of({{1, 2}, {3, 4}}).requires_grad_().set_name("x");
  x.register_hook([](const Tensor& g) { return g * 10; });
  const Tensor loss = sum(square(pair(x)));
  loss.backward();
  const Tensor y1 = Tensor::ones({9});  // libm has a function of that name
  std::vector<Tensor> many;
  if (argc > 1) {  // 25,000 ops, of which 5,000 take `first` in
    const Tensor first = Tensor::ones({1}).requires_grad_().set_name("first");
    many = {first / 0, first * 1};
    for (int i = 0; i < 5000; ++i) many.push_back(many.back() + first);
    for (int i = 0; i < 20000; ++i) many.push_back(many.back() + 0);
    std::thread([] {
      for (;;) ++ticks, std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }).detach();
  }
  first_size(x.shape());
  if (argc > 1) {
    many.back().backward();
    const Tensor root = sqrt(Tensor::zeros({1}).requires_grad_());
    root.backward();  // Inf, in the gradient only
    return 0;
  }
  const Tensor again = sum(checkpoint(pair, x));
  again.backward();
  pair.name_parameters();
  stepgrad::checkers();
  mine();
  matmul(x, list[0].view({7, 1}));
}

#line 1 "/home/reader/core/tensor/shape.cpp"  // a reader's file, whose path ends like one of ours
static int mine() { return 3; }
