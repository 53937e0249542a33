// N processes compute the same as one: every rank compares what the ranks did together with what it
// computes of the whole batch alone. mpirun starts this.
#include "core/tensor/random.hpp"
#include "nn/nn.hpp"
#include "tests/distributed/world.hpp"

using namespace stepgrad;

TEST_CASE("Each rank has its stretch of micro-batches, and their gradients meet in one tree, to the bit") {
  for (const auto& [examples, m] :
      std::vector<std::pair<int64_t, int64_t>>{{9, 9}, {17, 6}, {4, 7}, {3, 5}, {29, 4}, {8, 1}}) {
    manual_seed(m);
    const LeastSquares model(examples, 9);
    std::vector<std::pair<int64_t, int64_t>> own;
    for (int64_t i = 0; i < m; ++i) {
      const int64_t first = i * examples / m, last = (i + 1) * examples / m;
      if (first < last && i * world().size() / m == world().rank()) own.emplace_back(first, last);
    }
    for (const nn::DistributedOptions& way : ways(m)) {
      INFO("rank " << world().rank() << ", " << examples << " examples in " << m << " micro-batches, buckets of "
                   << way.bucket_cap_mb << ", overlap " << way.overlap);
      for (const Tensor& p : model.parameters()) p.set_grad({});
      nn::DistributedDataParallel parallel(world(), model.parameters(), way);
      std::vector<std::pair<int64_t, int64_t>> computed;
      const double loss = parallel.backward(examples, [&](int64_t first, int64_t last) {
        computed.emplace_back(first, last);
        return model(first, last);
      });
      CHECK(of_ranks(model, loss) == of_one(model, m));
      CHECK(computed == own);
    }
  }
}

TEST_CASE("grad() accumulates, and parameters that no loss reaches keep theirs") {
  for (const nn::DistributedOptions& way : ways(3)) {
    manual_seed(1);
    const LeastSquares model(7, 9);
    const Tensor never = Tensor::ones({3}).requires_grad_().set_name("never");
    const Tensor nothing = Tensor::ones({2}).requires_grad_().set_name("nothing");
    const std::vector<Values> once = of_one(model, 3);
    model.w.set_grad(Tensor::full({9}, 3.));
    const Tensor held = model.w.grad();
    never.set_grad(Tensor::of({1., 2., 4.}));
    nn::DistributedDataParallel parallel(world(), {never, model.w, nothing, model.b, model.some}, way);
    parallel.backward(7, model);
    parallel.backward(7, model);
    for (int64_t i = 0; i < 9; ++i) CHECK(model.w.grad().at(i) == 3 + once[0][i] + once[0][i]);
    CHECK(same_bits(held, model.w.grad()));  // who holds it sees what is added
    CHECK(model.b.grad().to_vector() == Values{2 * once[1][0]});
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
  const std::vector<std::string> parts = world().all_gather(std::string(me, 'a' + char(me)));
  REQUIRE(parts.size() == size_t(n));
  for (int r = 0; r < n; ++r) CHECK(parts[r] == std::string(r, 'a' + char(r)));
}
