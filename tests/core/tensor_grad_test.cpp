// Who keeps a gradient, how it adds up, and that its memory is its own.
#include "tests/support/parameter.hpp"
#include "tests/support/test.hpp"

namespace {

bool share(const Tensor& a, const Tensor& b) { return a.storage().get() == b.storage().get(); }

}

TEST_CASE("No gradient shares memory with another one, with its tensor, or with the caller's") {
  const bool create_graph = GENERATE(false, true);
  for (const OpExample& example : OpExample::all()) {
    const Tensors x = example.inputs();
    const Tensor y = example.f(x);
    if (!y.requires_grad() || (create_graph && !example.differentiates_twice())) continue;
    INFO(example.op);
    y.retain_grad();
    const Tensor g = Tensor::randn(y.shape()).requires_grad_(create_graph);
    const Values given = g.to_vector();
    y.backward(g, create_graph, create_graph);
    const NoGrad no_grad;
    Tensors all{g, y.grad()};
    for (const Tensor& each : x) {
      all.push_back(each);
      if (each.grad().defined()) all.push_back(each.grad());
    }
    for (size_t i = 0; i < all.size(); ++i)
      for (size_t k = 0; k < i; ++k) CHECK_FALSE(share(all[i], all[k]));
    for (const Tensor& each : x)
      if (each.grad().defined()) each.grad().fill_(NAN);  // nobody else sees the poison
    CHECK(y.grad().to_vector() == given);
    CHECK(g.to_vector() == given);
  }
}

TEST_CASE("A tensor's own numbers are not its gradient: a pass would write over them") {
  const Tensor x = Tensor::of({2, 3, 4, 5}).view({2, 2}).requires_grad_();
  const std::string refusal =
      "set_grad: [2, 2] has its own numbers as its gradient, and a backward pass would write there";
  CHECK_ERROR(ValueError, x.set_grad(x), refusal);
  CHECK_ERROR(ValueError, x.set_grad(x.detach()), refusal);
  CHECK_ERROR(ValueError, x.set_grad(x.detach().reshape({4}).view({2, 2})), refusal);
  CHECK_ERROR(ShapeError, x.set_grad(Tensor::ones({4})), "set_grad: a gradient of [4] for [2, 2]");
  CHECK_FALSE(x.grad().defined());
  x.set_grad(x.clone());
  const Values before = x.to_vector();
  sum(x).backward();
  CHECK(x.to_vector() == before);
  Tensor::ones({0}).requires_grad_().set_grad(Tensor::ones({0}));
  const Tensor all = Tensor::ones({4}), part = all.slice(0, 0, 3).requires_grad_();
  CHECK_THROWS_AS(part.set_grad(all.slice(0, 1, 4)), ValueError);
  const Tensor beside = all.slice(0, 0, 2).requires_grad_();
  beside.set_grad(all.slice(0, 2, 4));  // they touch
  beside.set_grad({});
}

TEST_CASE("Only leaves keep their gradient, and others after retain_grad") {
  const Tensor x = parameter({2}), y = x * 3, z = y * y;
  x.retain_grad(), y.retain_grad();
  z.backward();
  CHECK(y.grad().item() == 12);
  CHECK(x.grad().item() == 36);
  CHECK(message<TapeError>([&] { z.grad(); }) ==
      "grad: [1] is the output of mul and not a leaf; call retain_grad() on it before backward()");
  CHECK_ERROR(TapeError, Tensor::of({1}).retain_grad(), "retain_grad: [1] does not require a gradient");
  CHECK_FALSE(Tensor::of({1}).grad().defined());
}

TEST_CASE("A leaf whose data's shape changes still gets its gradient and hooks") {
  const Tensor x = parameter({1, 2});
  x.set_data(Tensor::of({3., 4., 5.}));
  CHECK(x.node()->shape == Shape{3});
  x.register_hook([](const Tensor& g) { return g * 2; });
  sum(x * 3).backward();
  CHECK(x.grad().to_vector() == Values{6, 6, 6});
  x.set_data(Tensor::of({5.}));
  CHECK_ERROR(ShapeError, sum(x).backward(), "backward: a gradient of [1] is not added to one of [3]");
}

TEST_CASE("A tensor that is no leaf any more is not its node's tensor") {
  const Tensor x = parameter({1, 2}), y = x * 2, w = parameter({3, 4});
  const auto& leaf = static_cast<const AccumulateGrad&>(*y.node()->inputs->node);
  CHECK(leaf.tensor);
  x.requires_grad_(false).mul_(w);
  CHECK_FALSE(leaf.tensor);
}
