// Tapes on which a sentence of the page could be false, with the central differences of each number
// that has a name: lines of "claim PAGE NAME INDEX DIFFERENCE" on stdout.
#include "tests/trace/claims.hpp"

#include <iomanip>
#include <iostream>
#include <map>

#include "core/trace/trace.hpp"
#include "ops/ops.hpp"

using namespace stepgrad;

namespace {

// The number that is moved while the loss is computed once more.
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
void write(const std::string& folder, const std::string& page, F loss,
           void (*pass)(const Tensor&) = nullptr, Tensor (*followed)(const Tensor&) = nullptr) {
  seen.clear();
  const RandomState random = random_state();
  const Tensor recorded = loss();
  if (pass) pass(recorded);
  trace(recorded, folder + "/claims-" + page + ".html");
  const NoGrad no_grad;
  const auto at = [&](const std::string& name, int64_t i, Scalar by) {
    moved = {name, i, by};
    set_random_state(random);
    double total = 0;
    const Tensor y = loss();
    for (const Scalar value : (followed ? followed(y) : y).to_vector()) total += value;
    if (seen[name].is_leaf()) seen[name].data()[i] -= by;
    moved = {};
    return total;
  };
  constexpr Scalar h = 0.01f;
  for (const auto& [name, x] : std::map(seen))
    for (int64_t i = 0; i < x.numel(); ++i)
      std::cout << "claim " << page << ' ' << name << ' ' << i << ' ' << std::setprecision(7)
                << (at(name, i, h) - at(name, i, -h)) / (2 * double{h}) << '\n';
}

Tensor leaf(const Shape& shape) { return (Tensor::randn(shape) * Scalar(0.5)).requires_grad_(); }

}  // namespace

void write_claims(const std::string& folder) {
  const Tensor x = leaf({3, 4}), w = leaf({4, 4}), b = leaf({4}), t = leaf({4});
  const auto layer = [&] { return tanh(matmul(named(x, "x"), named(w, "w")) + named(b, "b")); };

  write(folder, "reuse", [&] {
    const Tensor s = named(named(t, "t") * t, "s");
    return sum(named(s * t, "y") - s);
  });
  write(folder, "broadcast", [&] {
    const Tensor h = named(layer(), "h");
    return mean(named(h * named(t, "t"), "y") + t);
  });
  write(folder, "checkpoint", [&] {
    const auto f = [&](const Tensor& in) { return sigmoid(matmul(in, w)) * in; };
    const Tensor h = named(layer(), "h");
    return mean(named(checkpoint(f, h), "y") * h);
  });
  write(folder, "integers", [&] {
    const Tensor ids = Tensor::of({2, 0, 2}), mask = Tensor::of({{0, 1, 0, 0}});
    const Tensor h = named(embedding(named(w, "w"), ids), "h");
    const Tensor y = named(masked_fill(h * (ids + 1).reshape({3, 1}) + trunc(h), mask, 0), "y");
    return cross_entropy(y, Tensor::of({1, 0, 3}));
  });
  write(folder, "bent", [&] {  // relu(0): no slope is true on both sides
    const Tensor h = named(layer() * Tensor::of({{1, 0, 1, 1}}), "h");
    return sum(named(relu(h), "y") * 2);
  });
  write(folder, "many", [&] { return named(layer() * named(t, "t"), "y"); });

  b.set_grad(Tensor::full({4}, 1));
  x.set_grad(Tensor::full({3, 4}, -2));
  write(folder, "older", [&] { return mean(named(layer() * x, "y")); });

  const int hook = t.register_hook([](const Tensor& g) { return g * 10; });
  write(folder, "hook", [&] {
    const Tensor h = named(layer(), "h");
    if (grad_enabled()) h.register_hook([](const Tensor& g) { return g * -3; });
    return sum(named(h * named(t, "t"), "y"));
  });
  t.remove_hook(hook);

  set_ledger(true);
  write(
      folder, "given", [&] { return named(layer() * named(t, "t"), "y"); },
      [](const Tensor& y) { y.backward(Tensor::full(y.shape(), 2)); },
      [](const Tensor& y) { return y * 2; });
  write(
      folder, "elsewhere", [&] { return named(layer() * named(t, "t"), "y"); },
      [](const Tensor& y) { sum(exp(y) * 3).backward(); },
      [](const Tensor& y) { return exp(y) * 3; });
  set_ledger(false);
  write(
      folder, "freed", [&] { return sum(named(layer() * named(t, "t"), "y")); },
      [](const Tensor& y) { y.backward(); });
  set_ledger(true);
}
