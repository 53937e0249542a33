#include "core/tensor/random.hpp"
#include "tests/support/test.hpp"

const OpExample of_dropout_mask(
    "dropout_mask", [](Tensor x) { return x * dropout_mask(x, Scalar(0.5)) / Scalar(0.5); }, "dropped(a, 0.5)",
    Shapes{{2, 3}});

TEST_CASE("A dropout mask is the comparison of rand with keep_prob") {
  const Scalar keep = Scalar(0.7);
  for (const Shape& shape : some_shapes()) {
    const RandomState state = random_state();
    const Tensor x = Tensor::ones(shape), mask = dropout_mask(x, keep);
    set_random_state(state);
    CHECK(mask.shape() == shape);
    CHECK(mask.to_vector() == (rand_like(x) < keep).to_vector());
  }
  CHECK(dropout_mask(Tensor::ones({3}), 1).to_vector() == Values{1, 1, 1});
}

TEST_CASE("A share that is not above 0 and at most 1 is refused, and draws nothing") {
  const Tensor x = Tensor::ones({3});
  const uint64_t before = random_state().call;
  for (const Scalar keep : {Scalar(0), Scalar(-1), Scalar(1.5), Scalar(NAN)})
    CHECK_ERROR(ValueError, dropout_mask(x, keep),
        "dropout_mask: keep_prob " + text(Tensor::full({}, keep)) + " is not in (0, 1]");
  CHECK(random_state().call == before);
}

TEST_CASE("A shard's mask is recomputed as it was drawn") {
  const KeepLedger ledger;
  const Tensor x = Tensor::ones({4, 30}).requires_grad_();
  set_random_state({0x123456789abcdef0, 3, 2, 2});  // two rows an example, of examples 2 and 3
  const Tensor mask = dropout_mask(x, 0.5);
  set_random_state({7, 4});
  const Node& node = *mask.node();
  const Tensors inputs{x};
  CHECK(node.formula.recompute(inputs, node.attributes()).to_vector() == mask.to_vector());
}
