#include "core/trace/trace.hpp"

#include "core/check.hpp"
#include "core/files.hpp"
#include "core/memory/pool.hpp"
#include "core/trace/recording.hpp"
#include "core/watch/ledger.hpp"
#include "core/watch/stepper.hpp"
#include "nn/positionwise_feed_forward.hpp"
#include "ops/ops.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/full_disk.hpp"
#include "tests/support/gradcheck.hpp"

using namespace stepgrad;

namespace {

int64_t saved_by_ops(const Tensor& loss) {
  int64_t bytes = 0;
  for (const Recording::Op& op : gather(loss, 100).ops) bytes += op.saved_bytes;
  return bytes;
}

}  // namespace

TEST_CASE("A trace writes a page and leaves the tape and every gradient as they were") {
  const Folder folder;
  const Tensor x = Tensor::of({1, 2}).requires_grad_().set_name("x");
  const Tensor w = Tensor::of({3, 4}).requires_grad_();
  w.set_grad(Tensor::of({10, 10}));
  const Tensor loss = sum(x * w);
  trace(loss, folder.file("page.html"));
  CHECK_FALSE(x.grad().defined());
  CHECK(w.grad().to_vector() == std::vector<Scalar>{10, 10});
  loss.backward();
  CHECK(x.grad().to_vector() == std::vector<Scalar>{3, 4});
  CHECK(w.grad().to_vector() == std::vector<Scalar>{11, 12});
  const std::string page = read_file(folder.file("page.html"));
  CHECK(count(page, "\"op\":\"mul\"") == 1);
  CHECK(count(page, "\"backward\":[]") == 0);
}

TEST_CASE("A tape that was walked and freed is traced from its ledger") {
  const Folder folder;
  const Tensor x = Tensor::of({1, 2}).requires_grad_();
  const KeepLedger on(true);
  const Tensor loss = sum(x * x);
  loss.backward();
  trace(loss, folder.file("page.html"));
  CHECK(count(read_file(folder.file("page.html")), "\"backward\":[]") == 0);
  CHECK(x.grad().to_vector() == std::vector<Scalar>{2, 4});
}

TEST_CASE("A trace refuses what has no tape, in one sentence") {
  CHECK_THROWS_AS(trace(Tensor::ones({1}), "page.html"), TapeError);
  CHECK_THROWS_AS(to_dot(Tensor::ones({1})), TapeError);
  CHECK_THROWS_AS(to_mermaid(Tensor::ones({1})), TapeError);
  CHECK_FALSE(std::filesystem::exists("page.html"));
}

TEST_CASE("A page that cannot be written leaves nothing behind") {
  const Folder folder;
  const Tensor x = Tensor::of({1, 2}).requires_grad_();
  const Tensor loss = sum(x * x);
  CHECK_THROWS_AS(trace(loss, (folder.path / "missing" / "page.html").string()), FileError);
  CHECK_THROWS_AS(trace(loss, folder.path.string()), FileError);
  CHECK(std::filesystem::is_empty(folder.path));
  {
    const FullDisk full(1000);
    CHECK_THROWS_AS(trace(loss, folder.file("page.html")), FileError);
  }
  CHECK(std::filesystem::is_empty(folder.path));
  CHECK_FALSE(x.grad().defined());
  loss.backward();
  CHECK(x.grad().to_vector() == std::vector<Scalar>{2, 4});
}

TEST_CASE("Names are data in a page and in both diagrams") {
  const Folder folder;
  const std::string name = "</script>\"\n\\" + std::string(10'000, 'n');
  const Tensor x = Tensor::of({1, 2}).requires_grad_().set_name(name);
  const Tensor loss = sum(x * x);
  trace(loss, folder.file("page.html"));
  CHECK(count(read_file(folder.file("page.html")), "</script>") == 5);  // the page's own
  CHECK(count(to_dot(loss), "\\\"") == 1);
  CHECK(count(to_mermaid(loss), "</script>") == 0);
  CHECK(count(to_mermaid(loss), "#34;") == 1);
}

TEST_CASE("Diagrams have a box for each op and leaf, and an arrow for each input") {
  const Tensor x = Tensor::of({{1, 2}}).requires_grad_().set_name("x");
  const Tensor w = Tensor::from({3, 4}, {2, 1}).requires_grad_().set_name("w");
  const Tensor loss = sum(matmul(x, w));
  const std::string dot = to_dot(loss), mermaid = to_mermaid(loss);
  CHECK(count(dot, "[label=") == 4);
  CHECK(count(dot, " -> ") == 3);
  CHECK(count(mermaid, " --> ") == 3);
  CHECK(dot.find("matmul\\n[1, 1]\\ntrace_test.cpp:") != std::string::npos);
  loss.set_name("loss");
  CHECK(to_dot(loss).find(" sum → loss\\n[]") != std::string::npos);
}

TEST_CASE("A tape too long for a page is written in part, and says so") {
  const Folder folder;
  Tensor y = Tensor::ones({1}).requires_grad_();
  for (int i = 0; i < 2500; ++i) y = y + 1;
  trace(y, folder.file("page.html"));
  const std::string page = read_file(folder.file("page.html"));
  CHECK(count(page, "\"leftOut\":500,") == 1);
  CHECK(count(page, "\"number\":2500,") == 1);  // the end is there, and the beginning is not
  CHECK(count(page, "\"number\":500,") == 0);
  CHECK(std::filesystem::file_size(folder.file("page.html")) < 4'000'000);
}

TEST_CASE("What the page says is saved is what the allocator has counted") {
  const KeepLedger off(false);
  nn::PositionwiseFeedForward ffn(64, 250, Scalar(0.25));
  const Tensor x = Tensor::randn({40, 64});
  const int64_t before = memory_stats().in_use;
  const Tensor loss = mean(ffn(x));
  const int64_t held = memory_stats().in_use - before, saved = saved_by_ops(loss);
  CHECK(saved == 3 * 40 * 250 * static_cast<int64_t>(sizeof(Scalar)));
  CHECK(held >= saved);
  CHECK(held <= saved + saved / 4);  // a block's size is a round one
}

TEST_CASE(
    "A checkpoint saves anew what the same ops save without it, and a trace undoes its pass") {
  const KeepLedger on(true);
  nn::PositionwiseFeedForward ffn(8, 16, Scalar(0.25));
  const Tensor x = Tensor::randn({5, 8}).requires_grad_();
  const Tensor plain = sum(ffn(x)), once_more = sum(checkpoint(ffn, x));
  CHECK(saved_by_ops(once_more) == 0);  // but x
  const std::string page = to_html(once_more);
  CHECK(count(page, "\"savedAgain\":" + std::to_string(saved_by_ops(plain)) + ',') == 1);
  for (const Tensor& p : ffn.parameters()) CHECK_FALSE(p.grad().defined());
  once_more.backward();
  const Values gradient = ffn.w1.grad().to_vector();
  to_html(sum(checkpoint(ffn, x)));
  CHECK(ffn.w1.grad().to_vector() == gradient);
}

TEST_CASE(
    "A stepper goes back through a checkpoint, whose parameters have their gradients undone") {
  nn::PositionwiseFeedForward ffn(8, 16, 0);
  const Tensor x = Tensor::randn({5, 8}).requires_grad_();
  Stepper steps(sum(checkpoint(ffn, checkpoint(ffn, x) * 2)));
  steps.run_until("checkpoint");
  const Values once = ffn.w1.grad().to_vector();
  steps.back();
  CHECK_FALSE(ffn.w1.grad().defined());
  steps.run_until("checkpoint");
  CHECK(ffn.w1.grad().to_vector() == once);
}

TEST_CASE("A page has central differences of the first cells, and leaves them what they were") {
  const Tensor x = Tensor::of({1, 2}).requires_grad_();
  const auto loss = [&] { return sum(x * x * 8); };
  const std::string page = to_html(loss(), loss);
  const size_t at = page.find("\"differences\":[");
  REQUIRE(at != page.npos);
  double first = 0, second = 0;
  REQUIRE(std::sscanf(page.c_str() + at, "\"differences\":[%lf,%lf]", &first, &second) == 2);
  CHECK(first == Approx(16).epsilon(1e-3));
  CHECK(second == Approx(32).epsilon(1e-3));
  CHECK(x.to_vector() == Values{1, 2});
  CHECK_THROWS_AS(to_html(loss(), []() -> Tensor { throw std::runtime_error("again"); }),
                  std::runtime_error);
  CHECK(x.to_vector() == Values{1, 2});
}

TEST_CASE("A page says where a hook has changed a gradient") {
  const KeepLedger on(true);
  const Tensor x = Tensor::of({1, 2}).requires_grad_();
  const Tensor loss = sum(x * x);
  CHECK(count(to_html(loss), "\"hooked\":true") == 0);
  x.register_hook([](const Tensor& g) { return g * 10; });
  loss.backward();
  CHECK(count(to_html(loss), "\"hooked\":true") == 1);
}

TEST_CASE("A debugger's page is that of a node, and what goes wrong comes back as a sentence") {
  const Folder folder;
  const Tensor x = Tensor::of({1, 2}).requires_grad_();
  {
    const KeepLedger off(false);
    const Tensor loss = sum(x * x);
    CHECK(std::string(stepgrad_trace(*loss.node(), folder.file("page.html").c_str())) ==
          "no ledger was kept: call set_ledger(true) before the forward pass");
  }
  const KeepLedger on(true);
  const Tensor loss = sum(x * x);
  CHECK(std::string(stepgrad_trace(*loss.node(), folder.file("page.html").c_str())).empty());
  CHECK(count(read_file(folder.file("page.html")), "\"op\":\"mul\"") == 1);
  CHECK(std::string(stepgrad_trace(*loss.node(), folder.file("no/page.html").c_str())) ==
        folder.file("no/page.html") + ": cannot be written");
}

TEST_CASE("A leaf's step is right after its last use, as in the pass") {
  const KeepLedger on(true);
  const Tensor x = leaf({2}), b = leaf({2}), loss = sum(x * x + b);
  loss.backward();
  std::vector<int> ops;
  for (const Recording::Step& step : gather(loss, 100).steps) ops.push_back(step.op);
  CHECK(ops == std::vector{2, 1, -1, 0, -1});
}

TEST_CASE("A part knows which of how many it is, also while a pass is under way") {
  const KeepLedger on(true);
  const Tensor t = leaf({2}), s = t * t, loss = sum(s * t);
  const auto parts = [&](const Recording& tape) {
    std::vector<std::pair<size_t, size_t>> found;
    for (const Recording::Step& step : tape.steps)
      for (const Recording::Add& add : step.adds)
        if (step.op >= 0 && tape.values[add.value].op < 0) found.emplace_back(add.nth, add.of);
    return found;
  };
  std::vector<std::pair<size_t, size_t>> midway;
  std::string pass;
  s.register_hook([&](const Tensor&) {
    const Recording tape = gather(loss, 100);
    midway = parts(tape), pass = tape.pass;
    return Tensor();
  });
  loss.backward();
  using Pairs = std::vector<std::pair<size_t, size_t>>;
  CHECK(midway == Pairs{{1, 3}});
  CHECK(pass == "under way");
  CHECK(parts(gather(loss, 100)) == Pairs{{1, 3}, {2, 3}, {3, 3}});
  CHECK(gather(loss, 100).pass == std::string("whole"));
}

TEST_CASE("A recording says which pass it has: none, one that was freed, one from further on") {
  const KeepLedger on(true);
  const Tensor t = leaf({2}), y = t * 2, loss = sum(y);
  CHECK(gather(loss, 100).pass == std::string("none"));
  loss.backward();
  CHECK(gather(loss, 100).from_here);
  CHECK_FALSE(gather(y, 100).from_here);
  set_ledger(false);  // t's ledger is still that of the pass before
  const Tensor again = sum(t * 3);
  again.backward();
  CHECK(gather(again, 100).pass == std::string("freed"));
  CHECK(gather(again, 100).steps.empty());
}

TEST_CASE("A hook that changes nothing is no change") {
  const KeepLedger on(true);
  const Tensor t = leaf({2}), loss = sum(t * 2);
  t.register_hook([](const Tensor& g) { return g; });
  loss.backward();
  CHECK_FALSE(gather(loss, 100).steps.back().hooked);
}

TEST_CASE("A leaf that a checkpoint adds to as well has the change of its grad, and no parts") {
  const KeepLedger on(true);
  const Tensor w = Tensor::of({2., 3.}).requires_grad_();
  w.set_grad(Tensor::of({100., 100.}));
  const Tensor y = checkpoint([&](const Tensor& x) { return x * w; }, w * 5);
  const Tensor loss = sum(y * w);  // 5w³
  const auto leaf_step = [&] { return gather(loss, 100).steps.back().adds[0]; };
  loss.backward({}, true);
  CHECK(leaf_step().part.to_vector() == Values{60, 135});
  CHECK(leaf_step().total.to_vector() == Values{160, 235});
  CHECK(leaf_step().of == 0);
}

TEST_CASE("A gradient takes some time") {
  const KeepLedger on(true);
  const Tensor x = leaf({2}), loss = sum(x * x);
  to_html(loss);
  CHECK(loss.node()->ledger->backward_seconds > 0);
}

TEST_CASE("A constant is a value of its own, and what was saved of two inputs is told apart") {
  const KeepLedger off(false);
  const Tensor x = Tensor::of({1, 2}).requires_grad_(), c = Tensor::of({5, 6});
  const Recording tape = gather(sum((x * c) * (x * 3)), 100);
  const auto number = [&](int value) { return tape.values[value].value.to_vector(); };
  CHECK(tape.ops[0].inputs == std::vector{0, 1});
  CHECK(std::string(tape.values[1].role) == "constant");
  CHECK(number(tape.ops[2].inputs[0]) == Values{5, 12});
  CHECK(number(tape.ops[2].inputs[1]) == Values{3, 6});
}

TEST_CASE(
    "A page has differences of 256 cells at the most, and those of all that `again` returns") {
  const Tensor x = Tensor::ones({200}).requires_grad_(), w = Tensor::ones({200}).requires_grad_();
  Recording tape = gather(x * w, 1);
  add_differences(
      tape, [&] { return x * w; }, 256);
  CHECK(tape.values[0].differences.size() == 200);
  CHECK(tape.values[1].differences.size() == 56);
  for (const double d : tape.values[0].differences) CHECK(d == Approx(1).epsilon(1e-3));
}

TEST_CASE("An op's flops: 2mnk of a product, one an element of the rest, none of what only moves") {
  const auto flops = [](const Tensor& y) { return gather(y, 1).ops.back().flops; };
  const Tensor x = leaf({3, 5}), w = leaf({4, 5});
  CHECK(flops(linear(x, w)) == 2 * 3 * 4 * 5);
  CHECK(flops(matmul(x, w.t())) == 2 * 3 * 4 * 5);
  CHECK(flops(batched_matmul(x.unsqueeze(0), w.t())) == 2 * 3 * 4 * 5);
  CHECK(flops(x + w[0]) == 3 * 5);
  CHECK(flops(sum(x)) == 3 * 5);
  CHECK(flops(embedding(w, Tensor::of({1, 0}))) == 2 * 5);
  CHECK(flops(x.t()) == 0);
  CHECK(flops(x.view({15})) == 0);
}

TEST_CASE("What was overwritten since it was saved is not shown as what it was") {
  const KeepLedger off(false);
  const Tensor x = Tensor::of({1, 2}).requires_grad_(), h = x * 3;
  const Tensor loss = sum(h * h);
  const auto shown = [&] {
    int count = 0;
    for (const Recording::Value& value : gather(loss, 100).values) count += value.value.defined();
    return count;
  };
  const int before = shown();
  h.add_(1);
  CHECK(shown() < before);
}
