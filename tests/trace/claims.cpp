// Tapes on which a sentence of the page could be false, with the central differences of each number
// that has a name: lines of "claim PAGE NAME INDEX DIFFERENCE" on stdout.
#include "tests/trace/claims.hpp"

#include <iomanip>
#include <iostream>
#include <limits>
#include <map>

#include "core/tape/record.hpp"
#include "core/trace/trace.hpp"
#include "core/watch/central_difference.hpp"
#include "ops/ops.hpp"

using namespace stepgrad;

namespace {

std::string folder;

// The number that is moved while the loss is recomputed.
struct Moved {
  std::string name;
  int64_t i = 0;
  Scalar by = 0;
} moved;
std::map<std::string, Tensor> seen;

Tensor named(const Tensor& x, const char* name) {
  x.set_name(name);
  if (moved.name == name) x.data()[moved.i] += moved.by;
  if (moved.name.empty()) seen[name] = x;
  return x;
}

template <class F>
void write(const std::string& page, F loss, void (*pass)(const Tensor&) = nullptr,
    Tensor (*followed)(const Tensor&) = nullptr) {
  seen.clear();
  const RandomState random = random_state();
  const Tensor recorded = loss();
  if (pass) pass(recorded);
  trace(recorded, folder + "/claims-" + page + ".html");
  const NoGrad no_grad;
  const auto moved_loss = [&] {
    set_random_state(random);
    double total = 0;
    const Tensor y = loss();
    for (const Scalar value : (followed ? followed(y) : y).to_vector()) total += value;
    const Tensor& x = seen[moved.name];
    if (x.is_leaf()) x.data()[moved.i] -= moved.by;
    return total;
  };
  for (const auto& [name, x] : std::map(seen))
    for (int64_t i = 0; i < x.numel(); ++i) {
      moved = {name, i};
      std::cout << "claim " << page << ' ' << name << ' ' << i << ' ' << std::setprecision(7)
                << central_difference(moved.by, 0.01, moved_loss) << '\n';
      moved = {};
    }
}

Tensor leaf(const Shape& shape) { return (Tensor::randn(shape) * Scalar(0.5)).requires_grad_(); }
Tensor leaf_of(const Tensor& x) { return x.requires_grad_(); }

// An op whose rule is not its slope: the page cannot know.
struct StraightThrough final : Node {
  static constexpr Formula formula{"straight_through", "Y = 3·X", "dX = dY"};
  StraightThrough() : Node(formula) {}
  void backward(Tensor dY) override { x.add_grad(dY); }
  Input x{this};
};
Tensor straight_through(const Tensor& x) {
  auto node = record<StraightThrough>(Arg(x));
  const NoGrad no_grad;
  return on_tape(x * 3, std::move(node));
}

// Numbers at which ops bend, stand still, jump, or are none.
void at_the_edges() {
  const Scalar inf = std::numeric_limits<Scalar>::infinity();
  const Tensor x = leaf_of(Tensor::from({-1, 0, Scalar(0.1), 1, 2, 2}, {2, 3}));
  const Tensor small = leaf_of(Tensor::from({Scalar(-0.001), Scalar(0.002), 0}, {3}));
  write("clamp", [&] { return sum(named(clamp(named(x, "x"), Scalar(0.1), 2), "y")); });
  write("ties", [&] { return sum(named(amax(named(x, "x"), 1), "y")); });
  write("equal", [&] { return sum(named(maximum(named(x, "x"), x), "y")); });
  write("flat", [&] { return named(stddev(named(x, "x") * 0 + 3, {1}), "y"); });
  write("bits", [&] { return sum(named(bfloat16(named(x, "x")), "y") * 2); });
  const Tensor by = Tensor::of({1e-6, 4e-4, 1e-2});
  write("fine", [&] { return sum(named(named(small, "t") * by, "y")) + 1000; });
  write("own", [&] { return sum(named(straight_through(named(x, "x")), "y")); });
  const Tensor few = leaf_of(Tensor::from({0, 1, -1, inf}, {4}));
  write("infinite", [&] { return sum(named(log(named(few, "t")), "y")); });
  const Tensor many = leaf_of(Tensor::full({15}, 1));
  many.data()[3] = inf, many.data()[7] = std::numeric_limits<Scalar>::quiet_NaN();
  write("folded", [&] { return sum(named(many, "t")); });
}

// Shapes, ways and passes that are rare.
void unusual() {
  const Tensor x = leaf({3, 4}), t = leaf({4});
  write("twice", [&] {  // one tensor, twice in one op
    named(x, "x");
    const Tensor y = named(matmul(x, transpose(x, 0, 1)), "y");
    return sum(concat({y * y, y}, 0)) + sum(where(Tensor::of({{1, 0, 0}}), y, y) / 2);
  });
  write("empty", [&] {
    named(t, "t");
    return sum(t * sum(Tensor::zeros({0, 4}) * t, 0)) + sum(named(t * 3, "y"));
  });
  write("written", [&] {  // in place
    const Tensor y = named(x, "x") * 2;
    y.add_(t), y.masked_fill_(Tensor::of({{0, 1, 0, 1}}), 5);
    return sum(named(y * y, "y"));
  });
  write("held", [&] {  // what stands still while x moves
    const Tensor kept = Tensor::of({{2, 3, 4, 5}});
    return sum(named(x, "x") * kept * dropout_mask(x, Scalar(0.5)));
  });
  write(
      "again", [&] { return sum(named(named(x, "x") * t, "y")); },
      [](const Tensor& y) { y.backward({}, true), y.backward({}, true); });
  x.set_grad({});
  write("dropped", [&] {
    const Tensor h = named(named(x, "x") * t, "h"), y = tanh(h) + h;
    if (grad_enabled()) y.register_hook([](const Tensor& g) { return g * 0; });
    return sum(named(y + x, "y"));
  });
}

}

void write_claims(const std::string& to) {
  folder = to;
  const Tensor x = leaf({3, 4}), w = leaf({4, 4}), b = leaf({4}), t = leaf({4});
  const auto layer = [&] { return tanh(matmul(named(x, "x"), named(w, "w")) + named(b, "b")); };

  write("reuse", [&] {
    const Tensor s = named(named(t, "t") * t, "s");
    return sum(named(s * t, "y") - s);
  });
  write("broadcast", [&] {
    const Tensor h = named(layer(), "h");
    return mean(named(h * named(t, "t"), "y") + t);
  });
  write("checkpoint", [&] {
    const auto f = [&](const Tensor& in) { return sigmoid(matmul(in, w)) * in; };
    const Tensor h = named(layer(), "h");
    return mean(named(checkpoint(f, h), "y") * h);
  });
  write("integers", [&] {
    const Tensor ids = Tensor::of({2, 0, 2}), mask = Tensor::of({{0, 1, 0, 0}});
    const Tensor h = named(embedding(named(w, "w"), ids), "h");
    const Tensor y = named(masked_fill(h * (ids + 1).reshape({3, 1}) + trunc(h), mask, 0), "y");
    return cross_entropy(y, Tensor::of({1, 0, 3}));
  });
  write("bent", [&] {  // relu(0): no slope is true on both sides
    const Tensor h = named(layer() * Tensor::of({{1, 0, 1, 1}}), "h");
    return sum(named(relu(h), "y") * 2);
  });
  write("many", [&] { return named(layer() * named(t, "t"), "y"); });

  b.set_grad(Tensor::full({4}, 1));
  x.set_grad(Tensor::full({3, 4}, -2));
  write("older", [&] { return mean(named(layer() * x, "y")); });

  const int hook = t.register_hook([](const Tensor& g) { return g * 10; });
  write("hook", [&] {
    const Tensor h = named(layer(), "h");
    if (grad_enabled()) h.register_hook([](const Tensor& g) { return g * -3; });
    return sum(named(h * named(t, "t"), "y"));
  });
  t.remove_hook(hook);

  set_ledger(true);
  write(
      "given", [&] { return named(layer() * named(t, "t"), "y"); },
      [](const Tensor& y) { y.backward(Tensor::full(y.shape(), 2)); }, [](const Tensor& y) { return y * 2; });
  write(
      "elsewhere", [&] { return named(layer() * named(t, "t"), "y"); },
      [](const Tensor& y) { sum(exp(y) * 3).backward(); }, [](const Tensor& y) { return exp(y) * 3; });
  set_ledger(false);
  write(
      "freed", [&] { return sum(named(layer() * named(t, "t"), "y")); }, [](const Tensor& y) { y.backward(); });
  write("plain", [&] {  // without a ledger the page has what rules need, and no more
    named(x, "x");
    const Tensor h = clamp(relu(x), -1, Scalar(0.4)) * sigmoid(x) + gelu(sqrt(exp(x)));
    return sum(named(tanh(h) * named(t, "t"), "y"));
  });
  set_ledger(true);
  at_the_edges(), unusual();
}
