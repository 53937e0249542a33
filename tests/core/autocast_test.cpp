// bfloat16 and half, the Autocast that rounds products with them, and GradScaler.
#include "nn/nn.hpp"
#include "tests/support/test.hpp"

namespace {

Tensor rounded(Cast cast, const Tensor& x) { return cast(x.detach()); }

}

TEST_CASE("Rounding passes a rounded gradient") {
  const Tensor x = parameter({1, 2049, 70000}), y = half(x);
  CHECK(text(y.detach()) == "1 2048 inf");
  y.backward(Tensor::of({1, 2049, -70000}));
  CHECK(text(x.grad()) == "1 2048 -inf");
  const Tensor z = parameter({257, 70000}), r = bfloat16(z);
  CHECK(r.to_vector() == Values{256, 70144});
  r.backward(Tensor::of({1.00390625, 1.01171875}));  // halfway: ties go to even
  CHECK(z.grad().to_vector() == Values{1, 1.015625});
}

TEST_CASE("Under an Autocast, products round operands, results and gradients, and add in fp32") {
  for (const Cast cast : {bfloat16, half}) {
    const Tensor a = Tensor::randn({3, 5}).requires_grad_(), b = Tensor::randn({5, 4});
    const Tensor w = b.transpose(0, 1).requires_grad_(), dy = Tensor::randn({3, 4});
    const Tensor A = rounded(cast, a), W = rounded(cast, w), dY = rounded(cast, dy);
    Tensor y;
    {
      const Autocast autocast(cast);
      y = linear(a, w);
    }
    CHECK(y.to_vector() == rounded(cast, linear(A, W)).to_vector());
    y.backward(dy);
    CHECK(a.grad().to_vector() == rounded(cast, matmul(dY, W)).to_vector());
    CHECK(w.grad().to_vector() == rounded(cast, matmul(dY.transpose(0, 1), A)).to_vector());
    const Autocast autocast(cast);
    CHECK(matmul(a, b).to_vector() == rounded(cast, linear(A, W)).to_vector());
    CHECK(matmul(a.unsqueeze(0), b.unsqueeze(0)).to_vector() == matmul(a, b).to_vector());
    CHECK(batched_matmul(a.unsqueeze(0), b.unsqueeze(0)).to_vector() == matmul(a, b).to_vector());
  }
}

TEST_CASE("A scaler says which of its settings cannot be") {
  CHECK_ERROR(ValueError, nn::GradScaler(0), "GradScaler: init_scale 0 is not positive");
  CHECK_ERROR(ValueError, nn::GradScaler(1, 1), "GradScaler: growth_factor 1 is not greater than 1");
  CHECK_ERROR(ValueError, nn::GradScaler(1, 2, 0), "GradScaler: backoff_factor 0 is not between 0 and 1");
  CHECK_THROWS_AS(nn::GradScaler(1, 2, 1), ValueError);
  CHECK_ERROR(ValueError, nn::GradScaler(1, 2, 0.5, 0), "GradScaler: growth_interval 0 is not positive");
  CHECK_ERROR(ValueError, nn::MixedPrecisionFFN(2, 2, 0, nullptr), "MixedPrecisionFFN: cast is null");
}

TEST_CASE("Gradients are unscaled once, ahead of the step or by it, and there is one step an update") {
  const Tensor w = parameter({1}), unused = parameter({1});
  nn::AdamW optimizer({w, unused});
  nn::GradScaler scaler(4);
  scaler.scale(w * 3).backward();
  scaler.unscale_(optimizer.parameters());
  CHECK(w.grad().item() == 3);
  CHECK_THROWS_AS(scaler.unscale_(optimizer.parameters()), ValueError);
  CHECK(scaler.step(optimizer));
  CHECK_THROWS_AS(scaler.step(optimizer), ValueError);
  CHECK(w.grad().item() == 3);
  scaler.update();
  w.set_grad(Tensor::of({infinity})), unused.set_grad(Tensor::of({8}));
  CHECK_FALSE(scaler.step(optimizer));
  CHECK(unused.grad().item() == 2);  // behind one that overflowed, too
  scaler.update();
  scaler.unscale_(optimizer.parameters());
}
