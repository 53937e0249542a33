// A third program for the debugger's tests: what readers write outside of namespace stepgrad. An
// op, modules, structs and lists of tensors; a hook; a shape by reference; an error that nobody
// catches.
#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <tuple>
#include <unordered_map>
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

}

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

struct Layer {
  virtual ~Layer() = default;
};
namespace {
struct Scale final : Layer {
  Tensor factor = Tensor::ones({11});
};
}

namespace stepgrad {
static int checkers() { return 64; }  // a name like those of our checks
}

static int mine();
static std::atomic<int> ticks;  // of another thread

static int64_t first_size(const stepgrad::Shape& shape) { return shape[0]; }

// Two modules whose parameters have the same names, and lists of tensors.
static void two_modules(const Tensor& x) {
  Pair student, teacher;
  student.name_parameters(), teacher.name_parameters();
  const std::vector<Tensor> parameters = student.parameters();
  const std::map<std::string, Tensor> by_name{{"a b", Tensor::ones({2, 2})}};
  const std::unordered_map<int, Tensor> by_number{{3, Tensor::ones({4})}};
  const std::unordered_map<std::string, Tensor> hashed{{"a b", Tensor::ones({10})}};
  const std::vector<std::pair<std::string, Tensor>> pairs{{"p", Tensor::ones({5})}};
  const std::optional<Tensor> maybe = Tensor::ones({6}), nothing;
  const Tensor two[2] = {Tensor::ones({1}), Tensor::ones({2})};
  const std::span<const Tensor> span(two);
  const std::array<Tensor, 1> one{Tensor::ones({3})};
  const std::tuple<int, Tensor> tuple{1, Tensor::ones({4, 4})};
  const auto shared = std::make_shared<Plain>();
  [[maybe_unused]] const Tensor* const nobody = nullptr;
  [[maybe_unused]] const int grad = 3;
  const std::unique_ptr<Layer> layers[1] = {std::make_unique<Scale>()};
  const auto captures = [x, u = Tensor::ones({9})] { return x + u; };
  const Tensor y = student(x), difference = sum(y - teacher(x));
  difference.backward();
}

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
  two_modules(x);
  matmul(x, list[0].view({7, 1}));
}

#line 1 "/home/reader/core/tensor/shape.cpp"  // a reader's file, whose path ends like one of ours
static int mine() { return 3; }
