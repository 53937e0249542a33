// The time of each op, forward and backward: on large tensors, also beside a copy of as many bytes,
// and on one element. Includes every elementwise op.
#include <benchmark/benchmark.h>

#include <chrono>
#include <functional>
#include <string>

#include "ops/ops.hpp"

using namespace stepgrad;

namespace {

using Tensors = std::vector<Tensor>;

struct Op {
  std::string name;  // that of its source file
  std::function<Tensor(const Tensors&)> f;
  Tensors inputs;
};

Tensor leaf(const Shape& shape) { return rand_like(Tensor::empty(shape)).requires_grad_(); }

// An op, by its inputs.
#define OP(name, f, ...)                                                        \
  {                                                                             \
    name, []([[maybe_unused]] const Tensors& in) { return f; }, { __VA_ARGS__ } \
  }

std::vector<Op> ops() {
  const Tensor x = leaf({1024, 1024}), y = leaf({1024, 1024}), row = leaf({1024});
  const Tensor mask = Tensor::rand({1024, 1024}), stack = leaf({16, 256, 256});
  const Tensor ids = trunc(Tensor::rand({1024}) * 1024);
  std::vector<Op> ops{
      OP("add", in[0] + in[1], x, y),
      OP("add/broadcast", in[0] + in[1], x, row),
      OP("amax", amax(in[0], -1), x),
      OP("arange", arange(1 << 20)),
      OP("batched_matmul", matmul(in[0], in[1]), stack, stack),
      OP("clamp", clamp(in[0], 0), x),
      OP("compare", in[0] < in[1], x, y),
      OP("concat", concat(in, 1), x, y),
      OP("cross_entropy", cross_entropy(in[0], in[1]), x, ids),
      OP("div", in[0] / in[1], x, y),
      OP("dropout_mask", dropout_mask(in[0], Scalar(0.9)), x),
      OP("embedding", embedding(in[0], in[1]), x, ids),
      OP("expand", expand(in[0], {1024, -1}), row),
      OP("fused_feed_forward", fused_feed_forward(in[0], in[1], in[2], in[1], in[2], Scalar(0.1)),
         x, y, row),
      OP("index_add", index_add(in[0], in[1], in[2]), x, ids, y),
      OP("layer_norm", layer_norm(in[0], in[1], in[2]), x, row, leaf({1024})),
      OP("linear", linear(in[0], in[1]), x, y),
      OP("log_softmax", log_softmax(in[0]), x),
      OP("masked_fill", masked_fill(in[0], in[1], 1), x, mask),
      OP("matmul", matmul(in[0], in[1]), x, y),
      OP("mean", mean(in[0]), x),
      OP("mul", in[0] * in[1], x, y),
      OP("one_hot", one_hot(in[0], 1024), ids),
      OP("permute", permute(in[0], {1, 0}), x),
      OP("pow", pow(in[0], 3), x),
      OP("repeat", repeat(in[0], {1, 2, 2}), stack),
      OP("reshape", reshape(in[0], {-1}), x),
      OP("slice", slice(in[0], 1, 100, 900), x),
      OP("softmax", softmax(in[0]), x),
      OP("sub", in[0] - in[1], x, y),
      OP("sum", sum(in[0]), x),
      OP("sum/columns", sum(in[0], 0), x),
      OP("top_k_mask", top_k_mask(in[0], 2), leaf({1024, 8})),
      OP("triu", triu(in[0]), x),
      OP("where", where(in[2], in[0], in[1]), x, y, mask),
  };
  for (const Formula* formula : all_formulas()) {
    if (Tensor(*f)(Arg) = formula->recompute.op)
      ops.push_back({formula->op, [f](const Tensors& in) { return f(in[0]); }, {x}});
  }
  return ops;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void forward(benchmark::State& state, const Op& op) {
  const NoGrad no_grad;
  for (auto _ : state) benchmark::DoNotOptimize(op.f(op.inputs).data());
}

// The backward pass alone, to all inputs of the op.
void backward(benchmark::State& state, const Op& op) {
  for (auto _ : state) {
    for (const Tensor& x : op.inputs) {
      if (x.requires_grad()) x.set_grad({});
    }
    const Tensor y = op.f(op.inputs);
    Tensor dY = Tensor::ones(y.shape());
    const auto start = std::chrono::steady_clock::now();
    y.backward(std::move(dY));
    state.SetIterationTime(seconds_since(start));
  }
}

enum class Way { forward, backward };

// Ops with little computation on tensors too large for the caches, and the number of arrays of x's
// size that their kernels read and write at least.
struct BoundByMemory {
  std::string name;
  std::function<Tensor(const Tensor&)> f;
  Shape shape;
  int forward, backward;
};

std::vector<BoundByMemory> bound_by_memory() {
  const Shape shape{4096, 2048};
  return {
      {"gelu", [](const Tensor& x) { return gelu(x); }, shape, 2, 3},
      {"relu", [](const Tensor& x) { return relu(x); }, shape, 2, 3},
      {"softmax", [](const Tensor& x) { return softmax(x); }, shape, 2, 3},
      {"sum", [](const Tensor& x) { return sum(x); }, shape, 1, 1},
      // x + 1, the product, its sum; dY everywhere, two products, their sum
      {"mul", [](const Tensor& x) { return sum((x + 1) * x); }, shape, 2 + 3 + 1, 1 + 3 + 3 + 3},
      {"permute", [](const Tensor& x) { return transpose(x, 1, 2); }, {64, 128, 8, 64}, 2, 2},
  };
}

// "of a copy": the op's time relative to a copy of as many bytes in the same run.
void beside_a_copy(benchmark::State& state, const BoundByMemory& op, Way way) {
  const Tensor x = Tensor::randn(op.shape).requires_grad_();
  const Tensor from = Tensor::ones(op.shape), to = Tensor::ones(op.shape);
  double passes = 0, copies = 0;
  for (auto _ : state) {
    x.set_grad({});
    auto start = std::chrono::steady_clock::now();
    Tensor y = op.f(x);
    double seconds = seconds_since(start);
    if (way == Way::backward) {
      Tensor dY = Tensor::ones(y.shape());
      start = std::chrono::steady_clock::now();
      y.backward(std::move(dY));
      y = {};
      seconds = seconds_since(start);
    }
    state.SetIterationTime(seconds);
    passes += seconds;
    start = std::chrono::steady_clock::now();
    kernels::table().copy(in_order(x.numel()), from.data(), to.data());
    copies += seconds_since(start);  // two arrays, one read and one written
  }
  const int arrays = way == Way::forward ? op.forward : op.backward;
  state.counters["of a copy"] = passes / (copies / 2 * arrays);
}

// The tape's own cost: a chain of ops, each on one element.
template <class Next>
void chain(benchmark::State& state, Way way, const Next& next) {
  const Tensor x = Tensor::ones({1}).requires_grad_();
  const auto record = [&] {
    Tensor y = next(x);
    for (int64_t i = 1; i < state.range(0); ++i) y = next(std::move(y));
    return y;
  };
  record().backward();  // the first time also pays for memory that is not there yet
  for (auto _ : state) {
    auto start = std::chrono::steady_clock::now();
    Tensor y = record();
    const double recording = seconds_since(start);
    start = std::chrono::steady_clock::now();
    y.backward();
    y = {};
    state.SetIterationTime(way == Way::forward ? recording : seconds_since(start));
  }
  state.SetComplexityN(state.range(0));
  state.counters["per op"] = benchmark::Counter(
      static_cast<double>(state.range(0)),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

template <class Next>
void add_chain(const std::string& name, Next next) {
  for (Way way : {Way::forward, Way::backward}) {
    const std::string path =
        "one element/" + name + (way == Way::forward ? "/forward" : "/backward");
    benchmark::RegisterBenchmark(path.c_str(), [=](auto& state) { chain(state, way, next); })
        ->RangeMultiplier(10)
        ->Range(1000, 1'000'000)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond)
        ->Complexity(benchmark::oN);
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (const Op& op : ops()) {
    const auto add = [&](const char* way, auto run) {
      return benchmark::RegisterBenchmark((op.name + way).c_str(),
                                          [=](auto& state) { run(state, op); })
          ->Unit(benchmark::kMicrosecond);
    };
    add("/forward", forward)->UseRealTime();
    if (op.f(op.inputs).requires_grad()) add("/backward", backward)->UseManualTime();
  }
  for (const BoundByMemory& op : bound_by_memory()) {
    for (Way way : {Way::forward, Way::backward}) {
      const std::string path =
          op.name + "/large" + (way == Way::forward ? "/forward" : "/backward");
      benchmark::RegisterBenchmark(path.c_str(),
                                   [=](auto& state) { beside_a_copy(state, op, way); })
          ->UseManualTime()
          ->Unit(benchmark::kMicrosecond);
    }
  }
  const Tensor w = Tensor::ones({1}).requires_grad_();
  add_chain("add", [=](Tensor y) { return std::move(y) + w; });
  add_chain("neg", [](Tensor y) { return -std::move(y); });
  add_chain("relu", [](Tensor y) { return relu(std::move(y)); });
  add_chain("mul", [](Tensor y) { return std::move(y) * Scalar(1); });
  add_chain("mul by a leaf", [=](Tensor y) { return std::move(y) * w; });

  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
