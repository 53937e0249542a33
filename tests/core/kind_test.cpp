// Whole numbers stay whole, and print without a dot, where an op only moves, counts, adds,
// multiplies or compares them. What is written into them loses its fractions, or is refused.
#include "nn/embedding.hpp"
#include "nn/text/pad_sequence.hpp"
#include "tests/support/parameter.hpp"
#include "tests/support/test.hpp"

namespace {

Tensor whole() { return Tensor::of({{3, 1, 2}, {5, 4, 0}}); }
Tensor real() { return whole() * 1.; }

}

TEST_CASE("What a method that writes leaves or refuses, by the kinds of both operands") {
  using Write = std::function<void(Tensor, const Tensor&)>;
  enum { refuses, divides, keeps };
  const std::tuple<const char*, Write, int> writes[] = {
      {"add_", [](Tensor x, auto& y) { x.add_(y); }, refuses},
      {"+=", [](Tensor x, auto& y) { x += y; }, refuses},
      {"sub_", [](Tensor x, auto& y) { x.sub_(y); }, refuses},
      {"mul_", [](Tensor x, auto& y) { x.mul_(y); }, refuses},
      {"*=", [](Tensor x, auto& y) { x *= y; }, refuses},
      {"div_", [](Tensor x, auto& y) { x.div_(y); }, divides},
      {"-=", [](Tensor x, auto& y) { x -= y; }, refuses},
      {"/=", [](Tensor x, auto& y) { x /= y; }, divides},
      {"x[i] +=", [](Tensor x, auto& y) { x[1] += y[0]; }, refuses},
      {"x[i] /=", [](Tensor x, auto& y) { x[1] /= y[0]; }, divides},
      {"copy_", [](Tensor x, auto& y) { x.copy_(y); }, keeps},
      {"x[i] =", [](Tensor x, auto& y) { x[0] = y[0]; }, keeps},
      {"x[i] = number", [](Tensor x, auto& y) { y.kind() == Kind::integer ? x[1] = 7 : x[1] = 7.5; }, keeps},
      {"fill_", [](Tensor x, auto& y) { x.fill_(y.kind() == Kind::integer ? 7 : 0.5); }, keeps},
      {"fill_ of a row", [](Tensor x, auto& y) { x[1].fill_(y.kind() == Kind::integer ? 7 : 0.5); }, keeps},
      {"masked_fill_", [](Tensor x, auto& y) { x.masked_fill_(x, y.kind() == Kind::integer ? 7 : 0.5); }, refuses},
      {"masked_fill_ by an infinity",
          [](Tensor x, auto& y) { x.masked_fill_(x, y.kind() == Kind::integer ? 7 : -infinity); }, refuses},
      {"masked_fill_'s mask", [](Tensor x, auto& y) { x.masked_fill_(y, 7); }, keeps},
      {"index_put_",
          [](Tensor x, auto& y) {
            index_put_(x, {Layout(x.shape()).select(0, 1), IndexKind::slice}, y[0]);
          },
          refuses},
      {"zero_", [](Tensor x, auto&) { x.zero_(); }, keeps},
      {"clamp_", [](Tensor x, auto& y) { x.clamp_(0, y.kind() == Kind::integer ? 3 : 2.5); }, refuses},
  };
  for (const auto& [name, write, rule] : writes) {
    for (const Tensor& before : {whole(), real()})
      for (const Tensor& written : {whole() + 1, real() + 1.5}) {
        const Tensor x = before.clone(), view = x.view({6}), saves_x = real().requires_grad_() * x;
        const bool fits = rule == keeps || written.kind() == Kind::integer;
        const bool whole = before.kind() == Kind::integer;
        INFO(name << ", of " << before << " by " << written);
        if (whole && (rule == divides || (rule == refuses && !fits))) {
          CHECK_THROWS_AS(write(x, written), ValueError);
          CHECK(text(x) == text(before));
          CHECK(x.storage()->version() == 0);
          CHECK_NOTHROW(saves_x.backward(real()));
          continue;
        }
        write(x, written);
        CHECK(x.storage()->version() == 1);
        CHECK_THROWS_AS(saves_x.backward(real()), TapeError);
        CHECK((x.kind() == Kind::integer) == (whole && fits));
        CHECK(view.kind() == x.kind());
        if (whole)
          for (const Scalar v : x.to_vector()) CHECK(v == std::trunc(v));
      }
  }
}

TEST_CASE("set_data takes over numbers with their kind and version, and what was saved is as before") {
  for (const Tensor& before : {whole(), real()})
    for (const Tensor& given : {whole() + 1, real() + 1.5}) {
      given.fill_(2), given.add_(1);
      const Tensor x = before.clone(), w = real().requires_grad_(), saves_x = w * x;
      x.set_data(given);
      CHECK(x.kind() == given.kind());
      CHECK(x.storage()->version() == 2);
      saves_x.backward(real());
      CHECK(text(w.grad()) == text(before * real()));
      x[0] = 7;
      CHECK(text(x) == text(given));
    }
}

TEST_CASE("Whole numbers take the whole parts of what is copied or filled in, as torch's int64") {
  const Tensor x = Tensor::of({{1, 2}, {3, 4}});
  CHECK(text(x.clone().copy_(Tensor::of({{-1.5, -0.5}, {2.9, 0.}}))) == "-1 0 2 0");
  CHECK(text(x.clone().fill_(-2.5)) == "-2 -2 -2 -2");
  CHECK(text(x.clone().fill_(-0.5)) == "0 0 0 0");
  const Tensor y = x.clone();
  y[1] = Tensor::of({0.5, -0.5});
  CHECK(text(y) == "1 2 0 0");
  CHECK_ERROR(ValueError, y.fill_(infinity), "fill_: inf into whole numbers [2, 2]");
  for (const Scalar v : {infinity, infinity - infinity}) {
    CHECK_THROWS_AS(y.fill_(v), ValueError);
    CHECK_THROWS_AS(y.copy_(Tensor::full({2, 2}, v)), ValueError);
    CHECK_THROWS_AS(y[0] = v, ValueError);
  }
  CHECK(text(y) == "1 2 0 0");
}

TEST_CASE("Which results are whole numbers, and which are not") {
  const Tensor ids = whole(), x = real(), w = parameter({4, 2});
  w.register_hook([](const Tensor&) { return Tensor::of({1, 1}); });
  sum(w).backward(Tensor::of(1));
  const Tensors integers{// given or counted
      ids, Tensor::from(std::vector<int64_t>{1, 2}), Tensor::full({2}, 7), arange(3), arange(0, 6, 2), zeros_like(ids),
      x.argmax(1), x.argmin(), x.topk(1).indices, x.max(0).indices, top_k_mask(x, 1), x > 1, x != 1, x <= 1,
      one_hot(ids, 6), nn::pad_sequence({{1, 2}, {3}}), nn::pad_sequence({Tensor::of({1, 2}), Tensor::of({3})}),
      arange(0).copied(),
      // moved
      ids.view({6}), ids.t(), ids.unsqueeze(0), ids.clone(), ids.detach(), ids[0], ids.slice(1, 0, 2), ids.chunk(2)[1],
      ids.triu(), ids.repeat({2, 1}), ids.expand({2, 2, 3}), concat({ids, ids}), stack({ids, ids}),
      ids.gather(0, ids * 0), ids.masked_fill(ids, 1), where(ids > 2, ids, 0),
      // computed
      ids.sum(), ids.sum(1), ids.cumsum(0), ids.max(), ids.min(1).values, ids.amax(0), ids.topk(2).values, ids.abs(),
      ids.relu(), -ids, ids + 1, 1 - ids, ids * ids, ids.pow(2), prod(ids), ids.matmul(ids.t()), ids.clamp(0, 3),
      maximum(ids, 2), ids.trunc(), batched_matmul(ids.unsqueeze(0), ids.t())};
  const Tensors floats{// given so
      x, Tensor::zeros({2}), Tensor::ones({2}), Tensor::full({2}, 7.), eye(2), arange(3.), linspace(0, 2, 3), w,
      w.grad(), sum(w), zeros_like(x), x + 0, ids + x, concat({ids, x}), where(x, ids, x), ids * 2.,
      full_like(ids, 0.5) * 2, ids.clamp(0, 2.5), ids.masked_fill(x - 2, 0.5),
      nn::Embedding::from_pretrained(eye(2))(ids * 0),
      // divided, or of a function
      ids / 2, mean(ids * 1), exp(ids * 0), softmax(ids * 0 - arange(3) * 200), var(ids),
      fused_attention(ids, ids, ids, {}, 1)};
  for (const Tensor& y : integers) CHECK(y.kind() == Kind::integer);
  for (const Tensor& y : floats) CHECK(y.kind() == Kind::floating);
}
