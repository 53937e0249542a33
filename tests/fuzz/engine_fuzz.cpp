// Bytes as a program of ops, whose gradients are compared with central differences.
#include <cmath>
#include <functional>
#include <iostream>
#include <random>

#include "core/check.hpp"
#include "core/memory/storage.hpp"
#include "core/watch/central_difference.hpp"
#include "ops/ops.hpp"
#include "tests/fuzz/file.hpp"

using namespace stepgrad;

namespace {

// The program's bytes; zeros after the end.
struct Bytes {
  const uint8_t* data;
  size_t size, at = 0;

  int next(int n) { return at < size ? data[at++] % n : 0; }
  bool left() const { return at < size; }
};

struct Op {
  int operands;
  Tensor (*f)(std::vector<Tensor> x, Bytes& in);
};

int dim(const Tensor& x, Bytes& in) { return in.next(2 * kernels::max_dims) % (x.dim() + 1) - 1; }

Tensor changed(const Tensor& x) { return x.clone(); }

// An op of that many operands x; `in` gives its other arguments.
#define OP(operands, ...)                                                              \
  {                                                                                    \
    operands, [](auto x, [[maybe_unused]] Bytes& in) -> Tensor { return __VA_ARGS__; } \
  }

// The program ignores errors: operations that do not fit are skipped.
const Op ops[] = {
    OP(2, x[0] + x[1]),
    OP(2, x[0] - x[1]),
    OP(2, x[0] * x[1]),
    OP(2, x[0] / x[1]),
    OP(2, matmul(x[0], x[1])),
    OP(2, linear(x[0], x[1])),
    OP(2, maximum(x[0], x[1])),
    OP(2, minimum(x[0], x[1])),
    OP(2, pow(abs(x[0]) + Scalar(0.1), x[1])),
    OP(1, pow(x[0], in.next(5) - 1)),
    OP(3, where(gt(x[0], 0), x[1], x[2])),
    OP(2, masked_fill(x[0], lt(x[1], 0), Scalar(0.5))),
    OP(3, layer_norm(x[0], x[1], x[2])),
    OP(2, concat({x[0], x[1], x[0]}, dim(x[0], in))),
    OP(2, stack({x[0], x[1]}, dim(x[0], in))),
    OP(1, clamp(x[0], -1, in.next(3))),
    OP(1, softmax(x[0], dim(x[0], in))),
    OP(1, log_softmax(x[0], dim(x[0], in))),
    OP(1, cumsum(x[0], dim(x[0], in))),
    OP(1, amax(x[0], dim(x[0], in), in.next(2))),
    OP(1, amin(x[0], dim(x[0], in), in.next(2))),
    OP(1, sum(x[0], dim(x[0], in), in.next(2))),
    OP(1, mean(x[0], dim(x[0], in), in.next(2))),
    OP(1, stddev(x[0], dim(x[0], in), in.next(2))),
    OP(1, var(x[0], dim(x[0], in), in.next(2))),
    OP(1, max(x[0])),
    OP(1, max(x[0], dim(x[0], in), in.next(2)).values),
    OP(1, topk(x[0], in.next(3), dim(x[0], in)).values),
    OP(1, transpose(x[0], dim(x[0], in), dim(x[0], in))),
    OP(1, reshape(x[0], {-1})),
    OP(1, unsqueeze(x[0], dim(x[0], in))),
    OP(1, squeeze(x[0], dim(x[0], in))),
    OP(1, expand(x[0], {in.next(3) + 1, in.next(4) - 1, -1})),
    OP(1, repeat(x[0], {in.next(3), in.next(3), in.next(3)})),
    OP(1, select(x[0], dim(x[0], in), in.next(4) - 2)),
    OP(1, slice(x[0], dim(x[0], in), in.next(4) - 2, in.next(4))),
    OP(1, triu(x[0], in.next(5) - 2)),
    OP(1, tril(x[0], in.next(5) - 2)),
    OP(1, checkpoint(sigmoid, x[0])),
    OP(2, embedding(x[0], trunc(clamp(x[1].detach(), 0, 1)))),
    OP(2, changed(x[0]).add_(x[1])),
    OP(2, changed(x[0]).mul_(x[1])),
    OP(1, changed(x[0]).clamp_(-1, 1)),
    OP(2, changed(x[0]).masked_fill_(gt(x[1], 0), 2)),
    OP(2, x[0].add_(x[1])),  // of which others may have saved x[0]
    OP(1, x[0].clamp_(-1, 1)),
};

// The ops of each element of one tensor: all that there are.
const std::vector<const Formula*>& ops_of_each_element() {
  static const std::vector<const Formula*> list = [] {
    std::vector<const Formula*> found = all_formulas();
    std::erase_if(found,
                  [](auto* formula) { return !formula->recompute.op || formula->traits.rounds; });
    return found;
  }();
  return list;
}

// f(x), or f(x² + 0.1) if x is near the edge of f's domain, such as 0 for log and sqrt.
Tensor of_each_element(Tensor (*f)(Arg), const Tensor& x) {
  const Scalar near(0.01);
  for (const Tensor& beside : {x.detach() - near, x.detach() + near})
    for (const Scalar number : f(beside).to_vector())
      if (!std::isfinite(number)) return f(x * x + Scalar(0.1));
  return f(x);
}

constexpr double h = 1e-5;  // how far numbers are moved
constexpr int most_ops = 12;
constexpr int64_t most_elements = 64;

std::vector<Tensor> leaves(Bytes& in) {
  std::vector<Tensor> made(static_cast<size_t>(in.next(3) + 1));
  for (Tensor& x : made) {
    Shape shape;
    for (int dims = in.next(4); dims > 0; --dims) shape = shape.insert(0, (in.next(4) + 3) % 4);
    x = Tensor::empty(shape).requires_grad_();
    for (int64_t i = 0; i < x.numel(); ++i) {  // with ties, and with zeros
      x.data()[i] = static_cast<Scalar>(in.next(33) - 16) / 8;
    }
  }
  return made;
}

// Moves every number a little, behind the tape's back.
using Shaken = std::function<void(const Tensor&)>;

// The sum of all that was computed, each element with a weight of its own: two kinks are no
// straight line.
Tensor run(const std::vector<Tensor>& inputs, Bytes in, const Shaken& shaken = {}) {
  std::vector<Tensor> values = inputs;
  for (int op = 0; op < most_ops && in.left(); ++op) {
    const size_t which = in.next(std::size(ops) + ops_of_each_element().size());
    const int operands = which < std::size(ops) ? ops[which].operands : 1;
    std::vector<Tensor> x;
    for (int i = 0; i < operands; ++i) x.push_back(values[in.next(values.size())]);
    try {
      const Tensor y =
          which < std::size(ops)
              ? ops[which].f(std::move(x), in)
              : of_each_element(ops_of_each_element()[which - std::size(ops)]->recompute.op, x[0]);
      if (shaken) shaken(y);
      if (y.numel() <= most_elements) values.push_back(y);
    } catch (const Error&) {
    }
  }
  Tensor total = Tensor::zeros({});
  double first = -1;
  for (const Tensor& value : values) {
    const Tensor weights =
        cumsum(Tensor::full({value.numel()}, Scalar(0.25)), 0) + (first += 0.037);
    total = total + sum(weights.reshape(value.shape()) * value);
  }
  return total;
}

// Recorded too: under NoGrad an op in place would overwrite a leaf.
double at(Scalar& x, double h, const std::vector<Tensor>& inputs, const Bytes& in) {
  const Moved moved(x, h);
  return run(inputs, in).item();
}

// The gradient of element i of an input, by backward, when every number on the way is shaken.
double shaken_gradient(const std::vector<Tensor>& inputs, const Bytes& in, size_t input, int64_t i,
                       uint32_t seed) {
  std::minstd_rand random(seed + 1);
  std::uniform_real_distribution<double> part(-h, h);
  const auto shake = [&](const Tensor& x) {
    for (int64_t j = 0; j < x.numel(); ++j)
      x.data()[j] += part(random) * (1 + std::abs(x.data()[j]));
  };
  std::vector<Tensor> copies;
  for (const Tensor& x : inputs) {
    copies.push_back(x.detach().clone().requires_grad_());
    shake(copies.back());
  }
  run(copies, in, shake).backward();
  const Tensor grad = copies[input].grad();
  return grad.defined() ? grad.data()[i] : 0;
}

// Whether some op on the way is where its gradient jumps: at a tie, at a bound, at 0. Differences
// to both sides may be the same all the same, for instance where clamp cuts off what has the kink.
// There, but nowhere else, gradients differ much when numbers are shaken a little.
bool at_a_kink(const std::vector<Tensor>& inputs, const Bytes& in, size_t input, int64_t i) {
  double low = infinity, high = -infinity;
  for (uint32_t seed = 0; seed < 32; ++seed) {
    const double gradient = shaken_gradient(inputs, in, input, i, seed);
    if (std::isnan(gradient)) return true;
    low = std::min(low, gradient), high = std::max(high, gradient);
  }
  return !(high - low <= 1e-2 * std::max({std::abs(low), std::abs(high), 1e-2}));
}

// Whether a number on the way is infinite: where a clamp cuts it off, its slope of 0 times infinity
// is NaN, as PyTorch's.
bool passes_infinity(const std::vector<Tensor>& inputs, const Bytes& in) {
  bool found = false;
  run(inputs, in, [&](const Tensor& x) {
    for (const Scalar number : x.to_vector()) found |= std::isinf(number);
  });
  return found;
}

// Where differences to the right and to the left, of another step, are not the same, there is a
// kink or something like |x|^x: then nothing is said.
void compare(const std::vector<Tensor>& inputs, const Bytes& in, double y) {
  for (size_t which = 0; which < inputs.size(); ++which) {
    const Tensor &input = inputs[which], grad = input.grad();
    for (int64_t i = 0; i < input.numel(); i += input.numel() / 4 + 1) {
      Scalar& x = input.data()[i];
      const double above = at(x, h, inputs, in), below = at(x, -h / 2, inputs, in);
      const double right = (above - y) / h, left = (y - below) / (h / 2);
      const double size = std::max({std::abs(right), std::abs(left), 1e-2});
      if (!(std::abs(right - left) < 2e-4 * size) || std::abs(y) > 1e6) continue;
      const double ours = grad.defined() ? grad.data()[i] : 0;
      const double theirs = (right + 2 * left) / 3;  // to the second order
      if (std::abs(ours - theirs) <= 3e-4 * size + 1e-9 * std::abs(y)) continue;
      if (at_a_kink(inputs, in, which, i)) continue;
      if (std::isnan(ours) && passes_infinity(inputs, in)) continue;
      std::cerr << "element " << i << " of " << input << " gets " << ours << " by backward and "
                << theirs << " by central differences\n"
                << tape(run(inputs, in));
      abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const int64_t nodes = live_nodes(), storages = live_storages();
  {
    Bytes in{data, size};
    const std::vector<Tensor> inputs = leaves(in);
    const Tensor y = run(inputs, in);
    try {
      y.backward();
      if (std::isfinite(y.item())) compare(inputs, in, y.item());
    } catch (const TapeError&) {  // what was saved has been overwritten
      for (const Tensor& x : inputs) require(!x.grad().defined(), "a gradient of a refused pass");
    }
  }
  require(live_nodes() == nodes && live_storages() == storages, "something is not freed");
  return 0;
}
