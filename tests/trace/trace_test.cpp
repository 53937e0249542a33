#include "core/trace/trace.hpp"

#include "core/check.hpp"
#include "core/files.hpp"
#include "core/memory/pool.hpp"
#include "core/trace/recording.hpp"
#include "nn/positionwise_feed_forward.hpp"
#include "ops/ops.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/gradcheck.hpp"
#include "tests/support/message.hpp"

namespace {

int64_t saved_by_ops(const Tensor& loss) {
  int64_t bytes = 0;
  for (const Recording::Op& op : recording_of(loss, 100).ops) bytes += op.saved_bytes;
  return bytes;
}

}

TEST_CASE("A trace writes a page and leaves the tape and every gradient as they were") {
  const Folder folder;
  const Tensor x = Tensor::of({1, 2}).requires_grad_().set_name("x");
  const Tensor w = Tensor::of({3, 4}).requires_grad_();
  w.set_grad(Tensor::of({10, 10}));
  const Tensor loss = sum(x * w);
  CHECK_THROWS_AS(trace(loss, (folder.path / "missing" / "page.html").string()), FileError);
  CHECK_THROWS_AS(trace(loss, folder.path.string()), FileError);
  CHECK(std::filesystem::is_empty(folder.path));
  trace(loss, folder.file("page.html"));
  CHECK_FALSE(x.grad().defined());
  CHECK(w.grad().to_vector() == Values{10, 10});
  loss.backward();
  CHECK(x.grad().to_vector() == Values{3, 4});
  CHECK(w.grad().to_vector() == Values{11, 12});
  const std::string page = read_file(folder.file("page.html"));
  CHECK(count(page, "\"op\":\"mul\"") == 1);
  CHECK(count(page, "\"backward\":[]") == 0);
}

TEST_CASE("After an op has refused its operands, a page has the tape behind them, and the rule") {
  const KeepLedger on(true);
  const Tensor x = Tensor::ones({2, 3}), w = Tensor::ones({4, 5}).requires_grad_().set_name("w");
  CHECK_THROWS_AS(refusal_to_html(), TapeError);
  const std::string why = message<ShapeError>([&] { matmul(relu(x), w); }), page = refusal_to_html();
  CHECK(count(page, "\"refused\":\"" + why + '"') == 1);
  CHECK(count(page, "\"op\":\"relu\"") == 1);
  CHECK(count(page, "\"name\":\"w\"") == 1);
  sum(w * 2).backward();
  CHECK_THROWS_AS(refusal_to_html(), TapeError);
}

TEST_CASE("The error for an unknown lesson lists the known ones") {
  CHECK_THROWS_WITH(
      lesson("zero"), ContainsSubstring("lesson: there is none called 'zero', but ") && ContainsSubstring("zero_grad"));
}

TEST_CASE("A page is not live without an engine, nor when the tape gives another loss since") {
  const KeepLedger on(true);
  for (const double x0 : {1., 0x1p-40, 3e9, double{infinity}, double{NAN}}) {
    const Tensor x = Tensor::of({{x0, x0}}).requires_grad_(), y = x * 3;
    const Live nowhere{"/no/engine"};
    const Page page = to_html(y, nowhere);
    CHECK_THAT(page.not_live, ContainsSubstring("no engine"));
    x.data()[0] = 5 * x.data()[0] - (x0 == infinity ? infinity : 0);
    if (!std::isnan(x0))
      CHECK_THAT(to_html(y, nowhere).not_live, ContainsSubstring("was recorded: something was changed"));
  }
}

TEST_CASE("Saved bytes equal the allocator's count, where a saved row counts its whole tensor once") {
  const KeepLedger off(false);
  const nn::PositionwiseFeedForward ffn(64, 250, Scalar(0.25));
  const Tensor x = Tensor::randn({40, 64}), w = Tensor::ones({500, 100}).requires_grad_();
  const auto saves = [](int64_t numbers, const auto& loss_of) {
    const int64_t before = memory_stats().in_use;
    const Tensor loss = loss_of();
    const int64_t held = memory_stats().in_use - before, saved = saved_by_ops(loss);
    CHECK(saved == numbers * int64_t(sizeof(Scalar)));
    CHECK(held >= saved);
    CHECK(held <= saved + saved / 4);  // a block's size is a round one
  };
  saves(3 * 40 * 250, [&] { return mean(ffn(x)); });
  saves(500 * 100, [&] {
    const Tensor h = w * 2;
    return sum(h[3] * h[4]);
  });
}

TEST_CASE("A checkpoint saves anew what the same ops save without it, and a trace undoes its pass") {
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

TEST_CASE("A debugger's page wants a ledger") {
  const KeepLedger off(false);
  const Tensor x = Tensor::of({1, 2}).requires_grad_(), loss = sum(x * x);
  CHECK(std::string(stepgrad_trace(*loss.node(), "page.html")) ==
      "no ledger was kept: call set_ledger(true) before the forward pass");
}
