// Writes pages for browser_test.js into a folder, and on stdout a line of values for each.
#include <iomanip>
#include <iostream>
#include <limits>

#include "core/files.hpp"
#include "core/trace/trace.hpp"
#include "nn/positionwise_feed_forward.hpp"
#include "nn/sgd.hpp"
#include "ops/ops.hpp"
#include "tests/trace/claims.hpp"

using namespace stepgrad;

namespace {

std::string folder;
std::string page(const char* name) { return folder + '/' + name + ".html"; }

Tensor small(const Shape& shape, const char* name) {
  return (Tensor::randn(shape) * Scalar(0.5)).requires_grad_().set_name(name);
}

// x used twice, a broadcast bias, a gradient left by a pass before, and dropout.
void feed_forward() {
  nn::PositionwiseFeedForward ffn(4, 8, 0.25f);
  const Tensor x = small({3, 4}, "x");
  ffn.b2.set_grad(Tensor::ones(ffn.b2.shape()));
  const Tensor y = (x + ffn(x)).set_name("y"), loss = mean(y * y).set_name("loss");
  trace(loss, page("ffn"));
  loss.backward();
  std::cout << "ffn " << std::setprecision(6) << ffn.w1.grad().at(2, 3) << '\n';
}

// The same with the engine in it, where one has been built. Says what training gives: the losses of
// three steps, and after two in which zero_grad() is forgotten, all under the first dropout mask.
// Each step has a mask of its own.
void live_feed_forward() {
  manual_seed(5);
  nn::PositionwiseFeedForward ffn(4, 8, 0.25f);
  const Tensor x = Tensor::randn({3, 4}).set_name("x");
  const auto forward = [&] {
    const Tensor y = (x + ffn(x)).set_name("y");
    return mean(y * y).set_name("loss");
  };
  const RandomState first = random_state();
  Tensor loss = forward();
  trace(loss, page("live"), live);
  nn::SGD sgd(ffn.parameters(), Scalar(0.1));
  std::cout << "training " << std::setprecision(9) << loss.item();
  for (int step = 0; step < 5; ++step) {
    loss.backward();
    sgd.step();
    if (step < 3) sgd.zero_grad(true);
    const RandomState next = random_state();
    set_random_state(first);
    std::cout << ' ' << forward().item();
    set_random_state(next);
    loss = forward();
  }
  std::cout << '\n';
}

// Too large for tables, with the engine.
void live_wide() {
  const nn::PositionwiseFeedForward ffn(64, 128, 0.1f);
  const Tensor y = ffn(Tensor::randn({2, 10, 64}).set_name("x"));
  trace(mean(y * y).set_name("loss"), page("live_wide"), live, {"w1", {20, 30}});
}

// A loss of 1000, which shows no small steps, of a weak weight, a strong one and a bend.
void live_fine() {
  const Tensor t = Tensor::of({1, 1, -0.5}).requires_grad_().set_name("t");
  const Tensor y = t * Tensor::of({1e-4, 2, 0}) + abs(t * Tensor::of({0, 0, 1}));
  trace((sum(y) + 997).set_name("loss"), page("live_fine"), live, {"t", {0}});
}
// Numbers of every kind, and a mask that keeps those from the loss that would leave nothing of it.
void live_numbers() {
  const Scalar inf = std::numeric_limits<Scalar>::infinity();
  const Tensor t = Tensor::of({std::numeric_limits<double>::quiet_NaN(), inf, -inf, -0., 1e-45, 3.4e38, 1e20, 2.});
  const Tensor kept = Tensor::of({0, 0, 0, 1, 1, 0, 0, 1}).set_name("kept");
  const Tensor y = t.requires_grad_().set_name("t") * 3;
  trace(sum(where(kept, y, Tensor::zeros({8}))).set_name("loss"), page("live_numbers"), live, {"kept", {7}});
}

void refusal() {
  const Tensor x = small({2, 3}, "x"), w = small({4, 5}, "w");
  try {
    static_cast<void>(matmul(relu(x), w));
  } catch (const ShapeError&) {
    trace_refusal(page("refused"));
  }
}

// One op for all, and one that is computed again for its gradient: it cannot be live, and says why.
void kept_in_part() {
  nn::PositionwiseFeedForward first(4, 8, 0.25f), second(4, 8, 0.25f);
  const Tensor x = small({3, 4}, "x");
  Tensor h;
  {
    const FusedOps fused;
    h = first(x);
  }
  trace(mean(checkpoint(second, h)), page("parts"), live);
}

void thousand() {
  const Tensor w = small({4, 4}, "w");
  Tensor y = Tensor::randn({2, 4});
  for (int i = 0; i < 500; ++i) y = tanh(matmul(y, w));
  trace(sum(y), page("thousand"));
}

// Three ops more than a page has.
void long_chain() {
  Tensor y = small({2}, "x");
  for (int i = 0; i < 2002; ++i) y = y + 1;
  trace(sum(y), page("long"));
}

// Looked at by a hook, when two of the four steps have run.
void halfway() {
  const Tensor x = small({2}, "x"), h = x * 3, y = tanh(h);
  const Tensor loss = sum(y);
  h.register_hook([&](const Tensor& g) {
    trace(loss, page("halfway"));
    return g;
  });
  loss.backward();
}

// The notebook's sizes; with a question about one weight; and with the engine.
void notebook() {
  const nn::PositionwiseFeedForward ffn(512, 2048, 0.1f);
  const auto loss = [&] { return mean(ffn(Tensor::randn({4, 10, 512}).set_name("x"))); };
  trace(loss(), page("large"));
  trace(loss(), page("asked"), {"w1", {300, 1000}});
  trace(loss().set_name("loss"), page("live_notebook"), live, {"w1", {2, 3}});
}

void shapes() {
  const Tensor x = small({1, 2, 1, 2, 2, 3}, "x"), one = small({}, "one"), none = small({0, 3}, "none");
  const Tensor first = sum(x * one);  // in this order, by every compiler
  trace(first + sum(none * 2), page("shapes"));
}

void own_lesson() {
  const Tensor x = small({2, 3}, "x");
  trace(sum(x * 2), page("own_lesson"),
      Lesson("# Mine\n\n## [First](<#1 Y[0, 1]>)\nLook <here>.\n\n## Second\n? x[0, 1] larger?\n"
             "- [+] Up\n- [-] Down\n! x[0, 1] +0.5\n> Twice as much.\n\n## Third\nDone.\n"));
}

void hostile() {
  const Tensor a = small({2}, "</script><img src=x onerror=alert(1)>\u2028\n\"'\\<!--");
  const Tensor b = small({2}, std::string(10'000, 'n').c_str());
  const Tensor c = Tensor::of({std::numeric_limits<Scalar>::quiet_NaN(), 1}).set_name("c");
  trace(sum(a * b * c), page("hostile"));
}

void claims() { write_claims(folder); }

}

int main(int, char** argv) {
  manual_seed(3);
  set_ledger(true);
  folder = argv[1];
  for (const auto write : {feed_forward, kept_in_part, thousand, notebook, shapes, own_lesson, hostile, claims,
           live_feed_forward, live_wide, live_fine, live_numbers, refusal, long_chain, halfway})
    write();
}
