#include "core/tensor/print.hpp"
#include "nn/relu.hpp"
#include "tests/support/test.hpp"

// PyTorch 1.13's text, but for a number at the end of a node's name. Random numbers beside
// PyTorch's text: tests/python/printing_calls.py.
TEST_CASE("Tensors print as PyTorch prints them") {
  const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
  const Tensor leaf = parameter({0.5, -2, 3, 4, 5, 60});
  const std::pair<Tensor, const char*> cases[]{
      {parameter(0.5), "tensor(0.5000, requires_grad=True)"},
      {Tensor::of({0., -0., 0.5}), "tensor([0.0000, -0.0000, 0.5000])"},
      {Tensor::of({99.99999, 0.5}), "tensor([100.0000,   0.5000])"},
      {Tensor::of({3, -12}), "tensor([  3, -12])"},
      {Tensor::of({nan, -infinity, 0.25}), "tensor([   nan,   -inf, 0.2500])"},
      {Tensor::of({-1., 100000.}), "tensor([-1.0000e+00,  1.0000e+05])"},
      {Tensor::of({1., 1000.}), "tensor([   1., 1000.])"},
      {Tensor::of({1., 1001.}), "tensor([1.0000e+00, 1.0010e+03])"},
      {Tensor::of({1e8}), "tensor([100000000.])"},
      {Tensor::of({infinity, 1., 20000.}), "tensor([       inf, 1.0000e+00, 2.0000e+04])"},
      {Tensor::zeros({0, 3}).requires_grad_(), "tensor([], size=(0, 3), requires_grad=True)"},
      {leaf.view({3, 1, 2}) * 1, R"(tensor([[[ 0.5000, -2.0000]],

        [[ 3.0000,  4.0000]],

        [[ 5.0000, 60.0000]]], grad_fn=<MulBackward>))"},
      {leaf.view({1, 1, 1, 1, 1, 6}) * 1,
          R"(tensor([[[[[[ 0.5000, -2.0000,  3.0000,  4.0000,  5.0000, 60.0000]]]]]],
       grad_fn=<MulBackward>))"},
      {arange(1001), "tensor([   0,    1,    2,  ...,  998,  999, 1000])"},
  };
  for (const auto& [x, text] : cases) CHECK(text_of(x) == text);
}

TEST_CASE("Two edges side by side leave nothing to cut") {
  CHECK(text_of(arange(4), Elements::integers, {}, {.threshold = 1, .edgeitems = 2}) == "tensor([0, 1, 2, 3])");
}

TEST_CASE("The gradient node prints under the name of its op, in place or not") {
  const Tensor w = parameter({1., 2.});
  CHECK(text_of(dropout_mask(w, 1)) == "tensor([1., 1.])");
  CHECK(text_of(sum(w)) == "tensor(3., grad_fn=<SumBackward>)");
  CHECK(text_of((w * 1).clamp_(0)) == "tensor([1., 2.], grad_fn=<ClampBackward>)");
  CHECK(text_of(nn::ReLU()(w)) == "tensor([1., 2.], grad_fn=<ClampBackward>)");
  CHECK(text_of(w.detach()) == "tensor([1., 2.])");
}
