// In-place ops: where they are refused, and that their own gradients are right.
#include "tests/support/parameter.hpp"
#include "tests/support/test.hpp"

TEST_CASE("In place on a tensor that shares its data with another one on the tape is refused") {
  const Tensor w = named_leaf("w"), base = w * 2, view = base.reshape({4});
  const std::string says =
      " shares its data with another tensor, whose history would be wrong: clone() it "
      "first";
  CHECK_ERROR(TapeError, view.add_(1), "add_: [4]" + says);
  CHECK_ERROR(TapeError, w.reshape({4}).clamp_(0), "clamp_: [4]" + says);
  const Tensor x = operand("x"), v = x.view({4});  // a view from before the recording
  CHECK_ERROR(TapeError, x.mul_(w), "mul_: [2, 2]" + says);
  CHECK_ERROR(TapeError, v.mul_(w.detach().view({4}).requires_grad_()), "mul_: [4]" + says);
  x.mul_(2);  // not recorded: both see it
  CHECK(v.to_vector() == Values{2, 4, 6, 8});
  CHECK(base.to_vector() == Values{2, 4, 6, 8});
  CHECK(view.clone().add_(1).to_vector() == Values{3, 5, 7, 9});
}

TEST_CASE("In place is refused as long as another tensor that is not detached shares the data") {
  for (const int views : {0, 1, 2})
    for (const int detached : {0, 1, 2}) {
      CAPTURE(views, detached);
      const Tensor w = named_leaf("w"), base = w * 2;
      Tensors all{base};
      for (int i = 0; i < views + detached; ++i) all.push_back(i < views ? base.view({2, 2}) : base.detach());
      for (const Tensor& x : all) {
        const bool refused = views > 0 || x.is_detached();
        CHECK((message<TapeError>([&] { x.add_(w); }) == "nothing was thrown") == !refused);
      }
      all.clear();
      sum(base.add_(1)).backward();
      CHECK(w.grad().to_vector() == Values(4, views ? 2 : 3));
    }
}

TEST_CASE("A drawn mask may be changed in place, since no gradient flows through it") {
  const Tensor w = named_leaf("w"), mask = dropout_mask(w, Scalar(0.5));
  mask.fill_(3);
  mask.mul_(2);
  sum(w * mask).backward();
  CHECK(w.grad().to_vector() == Values{6, 6, 6, 6});
}

TEST_CASE("A detached or saved tensor has no history that could be wrong") {
  const Tensor w = named_leaf("w"), x = operand("x"), d = x.detach(), y = w * x;
  x.mul_(w);
  CHECK(d.to_vector() == x.to_vector());
  CHECK_FALSE(d.requires_grad());
  sum(x).backward();
  CHECK(w.grad().to_vector() == Values{1, 2, 3, 4});
  CHECK_THROWS_AS(sum(y).backward(), TapeError);  // it saved x
  const Tensor fresh = operand("x"), base = w * 1, view = base.view({4});
  d.set_data(base), d.set_data(fresh);
  CHECK_NOTHROW(fresh.mul_(w));  // d is its detached one now
  CHECK_THROWS_AS(base.mul_(2), TapeError);
}

TEST_CASE("A view of a detached tensor is detached, until it has a history of its own") {
  const Tensor w = named_leaf("w"), y = w * 1, view = y.detach().view({4});
  CHECK_NOTHROW(y.add_(1));
  const Tensor z = w * 1, own = z.detach().requires_grad_();
  CHECK_THROWS_AS(z.add_(1), TapeError);
}

TEST_CASE("retain_grad goes along with an op in place, and a hook stays with its numbers") {
  const Tensor w = named_leaf("w"), y = w * 1;
  Values hooked;
  y.retain_grad();
  y.register_hook([&](const Tensor& g) { return hooked = g.to_vector(), Tensor(); });
  y.mul_(3);
  y.register_hook([](const Tensor& g) { return g * 2; });
  sum(y).backward();
  CHECK(y.grad().to_vector() == Values{2, 2, 2, 2});
  CHECK(hooked == Values{6, 6, 6, 6});
  CHECK(w.grad().to_vector() == Values{6, 6, 6, 6});
}

TEST_CASE("An in-place result may overlap its operand, before or behind it") {
  for (const int64_t ahead : {-17, -1, 1, 17}) {
    const Tensor all = arange(1000.), before = all.clone();
    const Tensor x = all.slice(0, 100, 900), b = all.slice(0, 100 + ahead, 900 + ahead);
    x.add_(b);
    for (int64_t i = 100; i < 900; ++i) REQUIRE(all.at(i) == before.at(i) + before.at(i + ahead));
  }
}
