#include "tests/support/test.hpp"

using namespace stepgrad;

namespace {

bool same(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && a.to_vector() == b.to_vector();
}

bool same(const Tensors& a, const Tensors& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Tensor& x, const Tensor& y) { return same(x, y); });
}

}  // namespace

TEST_CASE("A method is the function of its name") {
  const Tensor x = Tensor::of({{0.75, 0.1, 0.3}, {2, 0.2, 1}});
  const Tensor y = Tensor::of({{1.5, 0.1, 0.2}, {0.7, 3, 1}}), w = y.transpose(0, 1);
  const Tensor mask = Tensor::of({{1, 0, 0}, {0, 1, 1}}), ids = Tensor::of({1, 0});
  CHECK(same(x.add(y), add(x, y)));
  CHECK(same(x.sub(y), sub(x, y)));
  CHECK(same(x.mul(y), mul(x, y)));
  CHECK(same(x.div(y), div(x, y)));
  CHECK(same(x.maximum(y), maximum(x, y)));
  CHECK(same(x.minimum(y), minimum(x, y)));
  CHECK(same(x.matmul(w), matmul(x, w)));
  CHECK(same(x.eq(y), eq(x, y)));
  CHECK(same(x.ne(y), ne(x, y)));
  CHECK(same(x.lt(y), lt(x, y)));
  CHECK(same(x.le(y), le(x, y)));
  CHECK(same(x.gt(y), gt(x, y)));
  CHECK(same(x.ge(y), ge(x, y)));
  CHECK(same(x.pow(y), pow(x, y)));
  CHECK(same(x.neg(), neg(x)));
  CHECK(same(x.abs(), abs(x)));
  CHECK(same(x.exp(), exp(x)));
  CHECK(same(x.log(), log(x)));
  CHECK(same(x.sqrt(), sqrt(x)));
  CHECK(same(x.tanh(), tanh(x)));
  CHECK(same(x.sigmoid(), sigmoid(x)));
  CHECK(same(x.erf(), erf(x)));
  CHECK(same(x.trunc(), trunc(x)));
  CHECK(same(x.relu(), relu(x)));
  CHECK(same(x.half(), half(x)));
  CHECK(same(x.bfloat16(), bfloat16(x)));
  CHECK(same(x.clone(), clone(x)));
  CHECK(same(x.clamp(0.2, 0.9), clamp(x, 0.2, 0.9)));
  CHECK(same(x.masked_fill(mask, 7), masked_fill(x, mask, 7)));
  CHECK(same(x.where(mask, y), where(mask, x, y)));
  CHECK(same(x.triu(1), triu(x, 1)));
  CHECK(same(x.tril(1), tril(x, 1)));
  CHECK(same(x.softmax(0), softmax(x, 0)));
  CHECK(same(x.log_softmax(0), log_softmax(x, 0)));
  CHECK(same(x.cumsum(0), cumsum(x, 0)));
  CHECK(same(x.max(), max(x)));
  CHECK(same(x.min(), min(x)));
  CHECK(same(x.sum(0, true), sum(x, 0, true)));
  CHECK(same(x.mean(0, true), mean(x, 0, true)));
  CHECK(same(x.var(0, true, 0), var(x, 0, true, 0)));
  CHECK(same(x.std(0, true, 0), stddev(x, 0, true, 0)));
  CHECK(same(x.amax(0, true), amax(x, 0, true)));
  CHECK(same(x.amin(0, true), amin(x, 0, true)));
  CHECK(same(x.max(0, true).indices, max(x, 0, true).indices));
  CHECK(same(x.min(0, true).indices, min(x, 0, true).indices));
  CHECK(same(x.argmax(), argmax(x)));
  CHECK(same(x.argmax(0, true), argmax(x, 0, true)));
  CHECK(same(x.argmin(), argmin(x)));
  CHECK(same(x.argmin(0, true), argmin(x, 0, true)));
  CHECK(same(x.topk(1, 0, false).values, topk(x, 1, 0, false).values));
  CHECK(same(x.gather(1, ids.reshape({2, 1})), gather(x, 1, ids.reshape({2, 1}))));
  CHECK(same(x.select(1, 2), select(x, 1, 2)));
  CHECK(same(x.slice(1, 1, 3), slice(x, 1, 1, 3)));
  CHECK(same(x.split(2, 1), split(x, 2, 1)));
  CHECK(same(x.split({1, 2}, 1), split(x, {1, 2}, 1)));
  CHECK(same(x.chunk(3, 1), chunk(x, 3, 1)));
  CHECK(same(x.reshape({3, 2}), reshape(x, {3, 2})));
  CHECK(same(x.view({3, 2}), reshape(x, {3, 2})));
  CHECK(same(x.contiguous(), x));
}
