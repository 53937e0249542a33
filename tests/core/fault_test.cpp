// Failing memory: at the first allocation, then at the second, until a training step succeeds.
// Under AddressSanitizer the pool caches nothing, so every tensor and node is an allocation, and
// leaks are found.
#include <regex>

#include "core/files.hpp"
#include "core/memory/pool.hpp"
#include "core/tensor/random.hpp"
#include "core/watch/paranoid.hpp"
#include "core/watch/stepper.hpp"
#include "nn/nn.hpp"
#include "tests/support/failing_memory.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/test.hpp"

namespace {

using Numbers = std::vector<Values>;

Numbers numbers(const Tensors& tensors) {
  Numbers all;
  for (const Tensor& x : tensors) {
    all.push_back(x.defined() ? x.to_vector() : Values());
  }
  return all;
}

struct Alive {
  int64_t nodes = live_nodes(), storages = live_storages(), in_use = memory_stats().in_use;
  friend bool operator==(const Alive&, const Alive&) = default;
};

// Calls attempt() with the first allocation failing, then the second, and so on until it succeeds;
// after each failure check(). Returns the number of failures.
int64_t each_failure(bool fails_for_good, const auto& attempt, const auto& check) {
  for (int64_t n = 0;; ++n) {
    empty_cache();
    try {
      const FailingMemory memory(n, fails_for_good);
      attempt();
      return n;
    } catch (const std::bad_alloc&) {
    }
    INFO("the allocation that failed: " << n);
    check();
  }
}

// A language model's forward, through its ops and modules.
struct Model {
  nn::Embedding embedding{7, 16};
  nn::TransformerBlock block{16, 2, 64};
  nn::Linear out{16, 7};
  Tensor ids = Tensor::of({{1, 2, 3, 4, 5}, {6, 5, 4, 3, 2}});
  bool checkpoints = false;

  Tensors parameters() const {
    Tensors all = embedding.parameters();
    for (const auto& some : {block.parameters(), out.parameters()}) all.insert(all.end(), some.begin(), some.end());
    return all;
  }
  Tensors gradients() const {
    Tensors all;
    for (const Tensor& p : parameters()) all.push_back(p.grad());
    return all;
  }
  Tensor loss() const {
    set_random_state({7, 0});
    const Tensor x = embedding(ids), h = checkpoints ? checkpoint(block, x) : block(x);
    return cross_entropy(out(h).reshape({10, 7}), ids.reshape({10}), -100, Scalar(0.1));
  }
  Scalar step() const {
    const Tensor loss = this->loss();
    loss.backward();
    return loss.item();
  }
};

struct AllObservers {
  explicit AllObservers(bool on) : on(on) { set(on); }
  ~AllObservers() { set(false); }
  void set(bool watched) const {
    if (on) set_paranoid(watched), set_detect_nan(watched);
  }
  const bool on;
};

}

TEST_CASE("Whichever allocation of a forward and backward pass fails, nothing is lost or wrong") {
  manual_seed(1);
  const bool fused = GENERATE(false, true), checkpoints = GENERATE(false, true);
  const bool fails_for_good = GENERATE(false, true);
  const bool ledger = fused == fails_for_good, watched = ledger && checkpoints;  // half of all ways
  const FusedOps fused_ops(fused);
  const KeepLedger ledgered(ledger);
  const AllObservers watchers(watched);
  Model model;
  model.checkpoints = checkpoints;
  const Tensors parameters = model.parameters();
  const Scalar loss = model.step();
  const Numbers expected = numbers(model.gradients()), values = numbers(parameters);
  const auto forget = [&] { nn::zero_grad(parameters, true); };
  forget();
  const Alive before;
  const int64_t failures = each_failure(
      fails_for_good, [&] { model.step(); },
      [&] {
        CHECK(numbers(parameters) == values);
        const Numbers gradients = numbers(model.gradients());
        for (size_t i = 0; i < gradients.size(); ++i) {  // of a leaf: all of it, or nothing
          CHECK((gradients[i].empty() || gradients[i] == expected[i]));
        }
        forget();
        if (!ledger) CHECK(Alive() == before);
        CHECK(model.step() == loss);
        CHECK(numbers(model.gradients()) == expected);
        forget();
      });
  CHECK(failures > 20);
}

TEST_CASE("Whichever allocation of a step fails, the stepper goes on where it was") {
  manual_seed(1);
  const bool fails_for_good = GENERATE(false, true);
  const Tensor x = Tensor::randn({3, 4}).requires_grad_(), w = Tensor::randn({4}).requires_grad_();
  const auto h = checkpoint([&](const Tensor& x) { return exp(x * w); }, x);
  const Tensor loss = sum(h * h + x);
  loss.backward({}, true);
  const Numbers before = numbers({x.grad(), w.grad()});
  loss.backward({}, true);
  const Numbers expected = numbers({x.grad(), w.grad()});
  int64_t failures = 0;
  for (bool failed = true; failed; ++failures) {
    empty_cache();
    x.set_grad(Tensor::from(before[0], {3, 4})), w.set_grad(Tensor::from(before[1], {4}));
    Stepper steps(loss);
    failed = false;
    try {
      const FailingMemory memory(failures, fails_for_good);
      while (steps.next()) continue;
    } catch (const std::bad_alloc&) {
      failed = true;
    }
    INFO("the allocation that failed: " << failures);
    while (steps.next()) continue;
    CHECK(numbers({x.grad(), w.grad()}) == expected);
    while (steps.back()) continue;
    CHECK(numbers({x.grad(), w.grad()}) == before);
  }
  CHECK(failures > 20);
}

TEST_CASE("Whichever allocation of a trace fails, gradients and the tape are as before") {
  manual_seed(1);
  const bool fails_for_good = GENERATE(false, true);
  const KeepLedger ledgered;
  Model model;
  model.checkpoints = true;
  model.step();
  const Numbers expected = numbers(model.gradients());
  nn::zero_grad(model.parameters());
  const Numbers before = numbers(model.gradients());
  const Tensor loss = model.loss();
  const auto untimed = [](const std::string& page) {  // but for what was measured
    return std::regex_replace(page, std::regex("\"seconds\":\\[[^\\]]*\\]"), "");
  };
  const std::string whole = untimed(to_html(loss));
  int64_t failures = 0;
  for (int64_t n = 0, failed = true; failed; n += 1 + n / 100, failures += failed) {
    std::string page;
    empty_cache();
    try {
      const FailingMemory memory(n, fails_for_good);
      page = to_html(loss);
      failed = memory.failed();
    } catch (const std::bad_alloc&) {
    }
    INFO("the allocation that failed: " << n);
    CHECK((page.empty() || untimed(page) == whole));  // with all of its source lines
    CHECK(numbers(model.gradients()) == before);
  }
  CHECK(failures > 20);
  CHECK(numbers(model.gradients()) == before);
  loss.backward();
  CHECK(numbers(model.gradients()) == expected);
}

namespace {

Tensors leaves_with_gradients() {
  manual_seed(1);
  Tensors leaves;
  for (const Shape& shape : {Shape{16, 32}, Shape{32}, Shape{3, 5}}) {
    leaves.push_back(Tensor::randn(shape).requires_grad_());
    leaves.back().set_grad(Tensor::randn(shape));
  }
  return leaves;
}

// Two steps, the second with the state of the first, beside an optimizer whose memory never fails.
template <class Optimizer>
void check_steps(Optimizer optimizer, const Tensors& parameters, Optimizer undisturbed, const Tensors& others) {
  const bool fails_for_good = GENERATE(false, true);
  for (int step = 0; step < 2; ++step) {
    const Numbers before = numbers(parameters);
    const int64_t failures = each_failure(
        fails_for_good, [&] { optimizer.step(); }, [&] { CHECK(numbers(parameters) == before); });
    if (step == 0) CHECK(failures > 0);
    undisturbed.step();
    CHECK(numbers(parameters) == numbers(others));
  }
}

}

TEST_CASE("Whichever allocation of an optimizer's step fails, every parameter is as before") {
  const auto check_optimizer = [](auto make) {
    const Tensors mine = leaves_with_gradients(), others = leaves_with_gradients();
    check_steps(make(mine), mine, make(others), others);
  };
  check_optimizer([](const Tensors& w) { return nn::AdamW(w); });
  check_optimizer([](const Tensors& w) { return nn::SGD(w, 0.1, 0.9, 0.01, true); });
}

TEST_CASE("Whichever allocation of a GradScaler's unscaling fails, gradients are as before") {
  const Tensors leaves = leaves_with_gradients();
  Tensors gradients;
  for (const Tensor& leaf : leaves) gradients.push_back(leaf.grad());
  nn::GradScaler scaler;
  const Numbers before = numbers(gradients);
  each_failure(
      true, [&] { scaler.unscale_(leaves); }, [&] { CHECK(numbers(gradients) == before); });
  CHECK(numbers(gradients) != before);
}

TEST_CASE("Whichever allocation fails, a text is whole or not there") {
  const bool fails_for_good = GENERATE(false, true);
  const KeepLedger ledgered(true);
  const Tensor x = Tensor::ones({3, 4}).requires_grad_(), loss = sum(matmul(x, x.transpose(0, 1)));
  loss.backward({}, true);
  const std::function<std::string()> texts[] = {[&] { return tape(loss); }, [&] { return explain(x); },
      [] { return paranoid_verdict(); }, [&] { return message<ShapeError>([&] { matmul(x, x); }); },
      [] { return lesson("tour").texts["ko"]; }};
  for (const auto& text : texts) {
    const std::string expected = text();
    std::string said;
    CHECK(each_failure(
              fails_for_good, [&] { said = text(); }, [] {}) > 0);
    CHECK(said == expected);
  }
}

TEST_CASE("Whichever allocation fails, there is the old file or the new one, and nothing else") {
  const bool fails_for_good = GENERATE(false, true);
  const Folder folder;
  const std::string path = folder.file("m");
  const nn::NamedTensors tensors{
      {"a name that is long enough for an allocation", Tensor::ones({40})}, {"another", Tensor::zeros({2, 3})}};
  const auto check_file = [&](const std::function<void()>& save) {
    save();
    const std::string expected = read_file(path);
    write_file(path, "old");
    const int64_t failures = each_failure(fails_for_good, save, [&] {
      CHECK(read_file(path) == "old");
      CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 1);
    });
    CHECK(failures > 3);
    CHECK(read_file(path) == expected);
  };
  check_file([&] { nn::save_safetensors(path, tensors); });
}
