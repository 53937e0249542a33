#include "tests/support/test.hpp"

namespace {

bool same(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && a.to_vector() == b.to_vector();
}

bool same(const Tensors& a, const Tensors& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Tensor& x, const Tensor& y) { return same(x, y); });
}

}

#define SAME(f, ...) CHECK(same(x.f(__VA_ARGS__), f(x __VA_OPT__(, ) __VA_ARGS__)))

TEST_CASE("A method is the function of its name") {
  const Tensor x = Tensor::of({{0.75, 0.1, 0.3}, {2, 0.2, 1}});
  const Tensor y = Tensor::of({{1.5, 0.1, 0.2}, {0.7, 3, 1}}), w = y.transpose(0, 1);
  const Tensor mask = Tensor::of({{1, 0, 0}, {0, 1, 1}}), ids = Tensor::of({1, 0});
  SAME(add, y);
  SAME(sub, y);
  SAME(mul, y);
  SAME(div, y);
  SAME(maximum, y);
  SAME(minimum, y);
  SAME(matmul, w);
  SAME(eq, y);
  SAME(ne, y);
  SAME(lt, y);
  SAME(le, y);
  SAME(gt, y);
  SAME(ge, y);
  SAME(pow, y);
  SAME(neg);
  SAME(abs);
  SAME(exp);
  SAME(log);
  SAME(sqrt);
  SAME(tanh);
  SAME(sigmoid);
  SAME(erf);
  SAME(trunc);
  SAME(relu);
  SAME(half);
  SAME(bfloat16);
  SAME(clone);
  SAME(clamp, 0.2, 0.9);
  SAME(masked_fill, mask, 7);
  CHECK(same(x.where(mask, y), where(mask, x, y)));
  SAME(triu, 1);
  SAME(tril, 1);
  SAME(softmax, 0);
  SAME(log_softmax, 0);
  SAME(cumsum, 0);
  SAME(max);
  SAME(min);
  SAME(sum, 0, true);
  SAME(mean, 0, true);
  SAME(var, 0, true, 0);
  CHECK(same(x.std(0, true, 0), stddev(x, 0, true, 0)));
  SAME(amax, 0, true);
  SAME(amin, 0, true);
  CHECK(same(x.max(0, true).indices, max(x, 0, true).indices));
  CHECK(same(x.min(0, true).indices, min(x, 0, true).indices));
  SAME(argmax);
  SAME(argmax, 0, true);
  SAME(argmin);
  SAME(argmin, 0, true);
  CHECK(same(x.topk(1, 0, false).values, topk(x, 1, 0, false).values));
  SAME(gather, 1, ids.reshape({2, 1}));
  SAME(select, 1, 2);
  SAME(slice, 1, 1, 3);
  SAME(split, 2, 1);
  SAME(split, {1, 2}, 1);
  SAME(chunk, 3, 1);
  SAME(reshape, {3, 2});
  CHECK(same(x.view({3, 2}), reshape(x, {3, 2})));
  CHECK(same(x.contiguous(), x));
}
