// N processes compute the same as one: every rank compares what the ranks did together with plain
// loops in double, or with what it computes of the whole batch alone. mpirun starts this.
#include "core/tape/modes.hpp"
#include "core/tensor/random.hpp"
#include "nn/nn.hpp"
#include "tests/distributed/world.hpp"

using namespace stepgrad;

TEST_CASE("However the batch is cut, the gradient equals plain loops in double") {
  for (const auto& [examples, micro_batches] :
      std::vector<std::pair<int64_t, int64_t>>{{12, 4}, {7, 3}, {13, 5}, {5, 8}, {3, 8}, {1, 2}, {29, 4}}) {
    for (const nn::DistributedOptions& way : ways(micro_batches)) {
      INFO("rank " << world().rank() << ", " << examples << " examples in " << micro_batches
                   << " micro-batches, buckets of " << way.bucket_cap_mb << ", overlap " << way.overlap);
      manual_seed(examples);
      const LeastSquares model(examples, 9);
      nn::DistributedDataParallel parallel(world(), {model.w, model.b}, way);
      Doubles dw, db;
      double loss = 0;
      model.by_hand(dw, db, loss);
      CHECK(parallel.backward(examples, model) == Approx(loss).epsilon(1e-5));
      CHECK(error(model.w.grad(), dw) < 2e-6);
      CHECK(error(model.b.grad(), db) < 2e-6);
    }
  }
}

TEST_CASE("grad() accumulates, and parameters that no loss reaches keep theirs") {
  for (const nn::DistributedOptions& way : ways(3)) {
    manual_seed(1);
    const LeastSquares model(7, 9);
    const Tensor never = Tensor::ones({3}).requires_grad_().set_name("never");
    const Tensor nothing = Tensor::ones({2}).requires_grad_().set_name("nothing");
    model.w.set_grad(Tensor::full({9}, 3.));
    const Tensor held = model.w.grad();
    never.set_grad(Tensor::of({1., 2., 4.}));
    nn::DistributedDataParallel parallel(world(), {never, model.w, nothing, model.b}, way);
    Doubles dw, db;
    double loss = 0;
    model.by_hand(dw, db, loss);
    parallel.backward(7, model);
    parallel.backward(7, model);
    for (double& g : dw) g = 3 + 2 * g;
    CHECK(error(model.w.grad(), dw) < 2e-6);
    CHECK(same_bits(held, model.w.grad()));  // who holds it sees what is added
    CHECK(error(model.b.grad(), {2 * db[0]}) < 2e-6);
    CHECK(never.grad().to_vector() == Values{1, 2, 4});
    CHECK_FALSE(nothing.grad().defined());
  }
}

TEST_CASE("Shards draw the rows of the one draw of a single process, each row once") {
  manual_seed(5);
  const Tensor w = Tensor::ones({4}).requires_grad_().set_name("w");
  nn::DistributedDataParallel parallel(world(), {w}, {.micro_batches = 5});
  for (uint64_t step = 0; step < 3; ++step) {
    const RandomState random = random_state();
    const int64_t many = 9000;  // rows of so many are drawn by all threads
    const Tensor masks = Tensor::full({13, 3, 4}, -1), normals = Tensor::full({13, many}, NAN);
    parallel.backward(13, [&](int64_t first, int64_t last) {
      const int64_t n = last - first;
      const Tensor mask = dropout_mask(Tensor::ones({n, 3, 4}), Scalar(0.5));
      const Tensor normal = Tensor::randn({n, many});
      std::copy_n(mask.data(), mask.numel(), masks.data() + first * 12);
      std::copy_n(normal.data(), normal.numel(), normals.data() + first * many);
      return mean(w * normal.slice(1, 0, 4));
    });
    const RandomState after = random_state();
    set_random_state(random);
    const Tensor mask = dropout_mask(Tensor::ones({13, 3, 4}), Scalar(0.5));
    const Tensor normal = Tensor::randn({13, many});
    set_random_state(after);
    CHECK(after.call == random.call + (uint64_t{1} << 32));
    std::string drawn(13, '0');
    for (int64_t i = 0; i < 13; ++i) {
      if (masks.at(i, 0, 0) < 0) continue;
      drawn[i] = '1';
      CHECK(same_bits(masks[i], mask[i]));
      CHECK(same_bits(normals[i], normal[i]));
    }
    std::vector<int> times(13);
    for (const std::string& rank : world().all_gather(drawn)) {
      for (int64_t i = 0; i < 13; ++i) times[i] += rank[i] == '1';
    }
    CHECK(times == std::vector<int>(13, 1));
  }
}

TEST_CASE("Each rank gets the bytes of all") {
  const int n = world().size(), me = world().rank();
  const std::vector<std::string> parts = world().all_gather(std::string(me, 'a' + static_cast<char>(me)));
  REQUIRE(parts.size() == size_t(n));
  for (int r = 0; r < n; ++r) CHECK(parts[r] == std::string(r, 'a' + static_cast<char>(r)));
}
