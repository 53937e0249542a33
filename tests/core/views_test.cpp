// Rows, slices, splits and chunks along dimension 0 lie in their tensor's memory.
#include "core/memory/storage.hpp"
#include "tests/support/test.hpp"

namespace {

Tensor three_rows() { return Tensor::of({{1., 2}, {3, 4}, {5, 6}}); }

}

TEST_CASE("for goes over the rows, and writes them") {
  const Tensor x = three_rows();
  Scalar add = 0;
  for (Tensor row : x) row += add += 10;
  CHECK(x.to_vector() == Values{11, 12, 23, 24, 35, 36});
  for (const Tensor& row : x)
    for (auto&& element : row) element -= 1;
  CHECK(x.to_vector() == Values{10, 11, 22, 23, 34, 35});
  for (const Tensor& row : Tensor::zeros({0, 2})) FAIL(row);
  CHECK_ERROR(IndexError, for (const Tensor& row : Tensor::ones({})) FAIL(row), "size: [] has no dimension 0");
  const Tensor w = three_rows().requires_grad_();
  Tensor product = Tensor::ones({2});
  const int here = __LINE__;
  for (const Tensor& row : w) {
    CHECK(row.node()->loc.line == here + 1);
    product = product * row;
  }
  sum(product).backward();
  CHECK(w.grad().to_vector() == Values{15, 24, 5, 12, 3, 8});
}

TEST_CASE("Results along other dimensions, and of ops that change nothing, are copies") {
  const Tensor x = three_rows();
  x.slice(1, 0, 1).fill_(9);
  x.select(1, 1).fill_(9);
  x.split(1, 1)[0].fill_(9);
  x.transpose(0, 1).fill_(9);
  x.permute({1, 0}).fill_(9);
  x.expand({2, 3, 2}).fill_(9);
  const Tensor one = x.view({1, 3, 2}), number = Tensor::full({}, 3);
  for (const Tensor& same : {x.transpose(0, 0), x.permute({0, 1}), x.expand({3, 2}), x.repeat({1, 1}), sum(one, 0),
           mean(one, 0), amax(one, 0), prod(one, 0), concat({x}), x.clamp(-9, 9), x.abs(), x.clone(), sum(number),
           mean(number), max(number), cumsum(x.view({3, 2, 1}), 2)})
    same.fill_(9);
  CHECK(number.item() == 3);
  CHECK(x.to_vector() == three_rows().to_vector());
}

TEST_CASE("A dead tensor's last row is not overwritten by a result computed from it") {
  const Tensor y = exp(Tensor::zeros({1000, 2})[1]);
  CHECK(y.to_vector() == Values{1, 1});
  CHECK(y.storage()->size == 2);
}

TEST_CASE("Parts that overlap are read before they are written") {
  const Tensor x = three_rows();
  x.slice(0, 1, 3).copy_(x.slice(0, 0, 2));
  CHECK(x.to_vector() == Values{1, 2, 1, 2, 3, 4});
  x.slice(0, 0, 2).add_(x.slice(0, 1, 3));
  CHECK(x.to_vector() == Values{2, 4, 4, 6, 3, 4});
  x.sub_(x[0]);  // all rows less what the first one was
  CHECK(x.to_vector() == Values{0, 0, 2, 2, 1, 0});
  x.masked_fill_(x[2], 5);  // where its last row is not 0
  CHECK(x.to_vector() == Values{5, 0, 5, 2, 5, 0});
  x[0] = x.reshape({6}).slice(0, 1, 3);
  CHECK(x.to_vector() == Values{0, 5, 5, 2, 5, 0});
  x.mul_(x[1][0]).div_(x[1][0]);
  CHECK(x.to_vector() == Values{0, 1, 1, Scalar(0.4), 1, 0});
  x.split({1, 2})[1][0] = x.chunk(3)[2][0];  // row 1 by row 2
  CHECK(x.to_vector() == Values{0, 1, 1, 0, 1, 0});
}
