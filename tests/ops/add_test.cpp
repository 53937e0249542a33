#include "tests/support/test.hpp"

const OpExample of_add("add", add, "a + b", [] { return Tensors{leaf({2, 3}, {-1, 0, 1}), leaf({3}, {0})}; });

TEST_CASE("A sum reuses an operand's buffer only if no other handle shares it") {
  const Tensor a = Tensor::ones({2, 3}), b = Tensor::ones({3});
  Tensor dying = a.clone();
  const Scalar* memory = dying.data();
  CHECK((std::move(dying) + b).data() == memory);
  dying = a.clone(), memory = dying.data();
  CHECK((b + std::move(dying)).data() == memory);
  CHECK((a + 1).data() != a.data());
  CHECK((a + a.view({2, 3})).data() != a.data());
  CHECK(a.to_vector() == Values{1, 1, 1, 1, 1, 1});
  CHECK(b.to_vector() == Values{1, 1, 1});
}
