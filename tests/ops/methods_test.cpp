#include "tests/support/test.hpp"

namespace {

bool same(const Tensor& a, const Tensor& b) { return a.shape() == b.shape() && a.to_vector() == b.to_vector(); }

bool same(const Tensors& a, const Tensors& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(), [](const Tensor& x, const Tensor& y) { return same(x, y); });
}

}

#define SAME(f, ...) CHECK(same(x.f(__VA_ARGS__), f(x __VA_OPT__(, ) __VA_ARGS__)))

// Of those that one macro makes alike, one.
TEST_CASE("A method is the function of its name") {
  const Tensor x = Tensor::of({{0.75, 0.1, 0.3}, {2, 0.2, 1}});
  const Tensor y = Tensor::of({{1.5, 0.1, 0.2}, {0.7, 3, 1}});
  const Tensor mask = Tensor::of({{1, 0, 0}, {0, 1, 1}}), ids = Tensor::of({1, 0});
  SAME(sub, y);
  SAME(neg);
  SAME(clamp, 0.2, 0.9);
  SAME(masked_fill, mask, 7);
  CHECK(same(x.where(mask, y), where(mask, x, y)));
  SAME(var, 0, true, 0);
  CHECK(same(x.std(0, true, 0), stddev(x, 0, true, 0)));
  SAME(amax, 0, true);
  CHECK(same(x.max(0, true).indices, max(x, 0, true).indices));
  CHECK(same(x.topk(1, 0, false).values, topk(x, 1, 0, false).values));
  SAME(gather, 1, ids.reshape({2, 1}));
  SAME(select, 1, 2);
  SAME(slice, 1, 1, 3);
  SAME(split, 2, 1);
  SAME(split, {1, 2}, 1);
  SAME(chunk, 3, 1);
  CHECK(same(x.view({3, 2}), reshape(x, {3, 2})));
  CHECK(same(x.contiguous(), x));
}
