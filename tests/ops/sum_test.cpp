#include "tests/support/test.hpp"

const OpExample of_sum(
    "sum", [](Tensor x) { return sum(x, -1); }, "a.sum(-1)", Shapes{{2, 3}});

TEST_CASE("A sum goes over any set of dimensions in any order, as over one after the other") {
  const auto check_sum = [](const Tensor& x, const std::vector<int>& dims) {  // and the mean
    Tensor each = x;
    for (const int dim : dims) each = sum(transpose(each, dim, -1), -1, true).transpose(dim, -1);
    for (const bool keepdim : {false, true}) {
      const Tensor y = sum(x, dims, keepdim), m = mean(x, dims, keepdim);
      CHECK(y.dim() == (keepdim ? x.dim() : x.dim() - int(dims.size())));
      if (keepdim) CHECK(y.shape() == each.shape());
      CHECK(m.shape() == y.shape());
      CHECK_THAT(y.to_vector(), near(each.to_vector()));
      CHECK_THAT((m * x.numel() / y.numel()).to_vector(), near(y.to_vector()));
      gradcheck([&](Tensor x) { return sum(x, dims, keepdim) * mean(x, dims, keepdim); }, {x});
    }
  };
  const Tensor x = leaf({2, 3, 4});
  check_sum(x, {0}), check_sum(x, {1}), check_sum(x, {2});
  check_sum(x, {0, 1}), check_sum(x, {1, 2}), check_sum(x, {2, 0});
  check_sum(x, {1, 2, 0});
  const Tensor six = leaf({2, 1, 3, 2, 1, 2});
  check_sum(six, {0, 2, 4}), check_sum(six, {1, 3, 5}), check_sum(six, {0, 1, 4, 5});
  check_sum(leaf({5}), {0});
  CHECK_ERROR(ShapeError, sum(x, std::vector<int>(7)), "dims: 7 are named, and at most 6 are there");
}
