// N processes compute what one computes: every rank compares what the ranks did together with plain
// loops in double, or with what it computes of the whole batch alone. mpirun starts this.
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "core/check.hpp"
#include "core/tape/modes.hpp"
#include "core/tensor/random.hpp"
#include "nn/distributed_data_parallel.hpp"
#include "nn/nn.hpp"
#include "ops/ops.hpp"
#include "tests/support/expect.hpp"

using namespace stepgrad;

namespace {

double timeout() {
  const char* seconds = std::getenv("TIMEOUT");
  return seconds ? std::atof(seconds) : 60;
}

nn::Distributed& world() {
  static int argc = 1;
  static char name[] = "what_one_computes", *names[] = {name, nullptr}, **argv = names;
  static nn::Distributed world(argc, argv, timeout());
  return world;
}

// All ways of sending, which must not change what is sent.
std::vector<nn::DistributedOptions> ways(int64_t micro_batches) {
  std::vector<nn::DistributedOptions> all;
  for (const double cap : {0., 1e-4, 1.}) {
    for (const bool overlap : {true, false}) all.push_back({micro_batches, cap, overlap});
  }
  return all;
}

using Doubles = std::vector<double>;

Doubles doubles(const Tensor& x) {
  const Values values = x.to_vector();
  return {values.begin(), values.end()};
}

// The largest difference, of the largest element.
double error(const Tensor& found, const Doubles& expected) {
  const Doubles numbers = doubles(found);
  if (numbers.size() != expected.size()) return infinity;
  double difference = 0, largest = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    difference = std::max(difference, std::abs(numbers[i] - expected[i]));
    largest = std::max(largest, std::abs(expected[i]));
  }
  return difference / largest;
}

bool same_bits(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), a.numel() * sizeof(Scalar)) == 0;
}

// L = mean over the examples of (x·w + b - t)², one weight a feature: its gradients by hand are
// dw = 2/n·Σ (x·w + b - t)·x and db = 2/n·Σ (x·w + b - t).
struct LeastSquares {
  LeastSquares(int64_t examples, int64_t features)
      : x(Tensor::randn({examples, features})),
        t(Tensor::randn({examples})),
        w(Tensor::randn({features}).requires_grad_().set_name("w")),
        b(Tensor::randn({1}).requires_grad_().set_name("b")) {}

  Tensor operator()(int64_t first, int64_t last) const {
    const Tensor e = matmul(x.slice(0, first, last), w) + b - t.slice(0, first, last);
    return mean(e * e);
  }
  void by_hand(Doubles& dw, Doubles& db, double& loss) const {
    const int64_t n = x.size(0), features = x.size(1);
    dw.assign(features, 0), db.assign(1, 0), loss = 0;
    for (int64_t i = 0; i < n; ++i) {
      double e = double{b.data()[0]} - double{t.data()[i]};
      for (int64_t j = 0; j < features; ++j) {
        e += double{x.data()[i * features + j]} * double{w.data()[j]};
      }
      for (int64_t j = 0; j < features; ++j) dw[j] += 2 * e * x.data()[i * features + j] / n;
      db[0] += 2 * e / n;
      loss += e * e / n;
    }
  }
  Tensor x, t, w, b;
};

}  // namespace

TEST_CASE("The gradient is that of the whole batch, by plain loops in double, however it is cut") {
  for (const auto& [examples, micro_batches] : std::vector<std::pair<int64_t, int64_t>>{
           {12, 4}, {7, 3}, {13, 5}, {5, 8}, {1, 2}, {29, 4}}) {
    for (const nn::DistributedOptions& way : ways(micro_batches)) {
      INFO("rank " << world().rank() << ", " << examples << " examples in " << micro_batches
                   << " micro-batches, buckets of " << way.bucket_cap_mb << ", overlap "
                   << way.overlap);
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

TEST_CASE("What was in grad() before is added to, and what no loss reaches stays as it is") {
  for (const nn::DistributedOptions& way : ways(3)) {
    manual_seed(1);
    const LeastSquares model(7, 9);
    const Tensor never = Tensor::ones({3}).requires_grad_().set_name("never");
    const Tensor nothing = Tensor::ones({2}).requires_grad_().set_name("nothing");
    model.w.set_grad(Tensor::full({9}, 3.));
    never.set_grad(Tensor::of({1., 2., 4.}));
    nn::DistributedDataParallel parallel(world(), {never, model.w, nothing, model.b}, way);
    Doubles dw, db;
    double loss = 0;
    model.by_hand(dw, db, loss);
    parallel.backward(7, model);
    parallel.backward(7, model);
    for (double& g : dw) g = 3 + 2 * g;
    CHECK(error(model.w.grad(), dw) < 2e-6);
    CHECK(error(model.b.grad(), {2 * db[0]}) < 2e-6);
    CHECK(never.grad().to_vector() == Values{1, 2, 4});
    CHECK_FALSE(nothing.grad().defined());
  }
}

TEST_CASE("Weights after many steps are those of one process that trains on the whole batch") {
  for (const bool fused : {false, true}) {
    const FusedOps ops(fused);
    const auto network = [] {
      manual_seed(7);
      return nn::PositionwiseFeedForward(6, 16, Scalar(0.25));
    };
    const nn::PositionwiseFeedForward alone = network(), together = network();
    const Tensor x = Tensor::randn({11, 3, 6}), target = Tensor::randn({11, 3, 6});
    const auto loss = [&](const nn::PositionwiseFeedForward& ffn, int64_t first, int64_t last) {
      const Tensor e = ffn(x.slice(0, first, last)) - target.slice(0, first, last);
      return mean(e * e);
    };
    nn::SGD by_one(alone.parameters(), 0.5), by_all(together.parameters(), 0.5);
    nn::DistributedDataParallel parallel(world(), together.parameters(), {.micro_batches = 4});
    const RandomState random = random_state();
    for (uint64_t step = 0; step < 5; ++step) {
      INFO("rank " << world().rank() << ", step " << step << ", fused " << fused);
      by_one.zero_grad(), by_all.zero_grad();
      parallel.backward(11,
                        [&](int64_t first, int64_t last) { return loss(together, first, last); });
      const RandomState after = random_state();
      // Step s draws as one process would that has drawn 2³² times in each step before.
      set_random_state({random.seed, random.call + (step << 32)});
      loss(alone, 0, 11).backward();
      by_one.step(), by_all.step();
      set_random_state(after);
      for (size_t i = 0; i < alone.parameters().size(); ++i) {
        CHECK(error(together.parameters()[i], doubles(alone.parameters()[i])) < 1e-5);
      }
    }
  }
}

TEST_CASE("Shards draw the rows of the one draw of a single process, each row once") {
  manual_seed(5);
  const Tensor w = Tensor::ones({4}).requires_grad_().set_name("w");
  nn::DistributedDataParallel parallel(world(), {w}, {.micro_batches = 5});
  for (uint64_t step = 0; step < 3; ++step) {
    const RandomState random = random_state();
    const Tensor masks = Tensor::full({13, 3, 4}, -1), normals = Tensor::full({13, 4}, NAN);
    parallel.backward(13, [&](int64_t first, int64_t last) {
      const int64_t n = last - first;
      const Tensor mask = dropout_mask(Tensor::ones({n, 3, 4}), Scalar(0.5));
      const Tensor normal = Tensor::randn({n, 4});
      std::copy_n(mask.data(), mask.numel(), masks.data() + first * 12);
      std::copy_n(normal.data(), normal.numel(), normals.data() + first * 4);
      return mean(w * normal);
    });
    const RandomState after = random_state();
    set_random_state(random);
    const Tensor mask = dropout_mask(Tensor::ones({13, 3, 4}), Scalar(0.5));
    const Tensor normal = Tensor::randn({13, 4});
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

TEST_CASE("all_reduce adds as a binary tree over the ranks, bit by bit, and everybody gets it") {
  const auto numbers = [](int rank) {
    return Values{Scalar(1e8) * (rank % 2 ? -1 : 1), Scalar(0.1) * (rank + 1),
                  Scalar(1) / (rank + 3)};
  };
  const auto sum = [&](const auto& self, int first, int last) -> Values {
    if (last - first == 1) return numbers(first);
    const int middle = first + (last - first) / 2;
    Values left = self(self, first, middle);
    const Values right = self(self, middle, last);
    for (size_t i = 0; i < left.size(); ++i) left[i] += right[i];
    return left;
  };
  const Tensor x = Tensor::from(numbers(world().rank()));
  world().all_reduce(x);
  CHECK(x.to_vector() == sum(sum, 0, world().size()));
}

TEST_CASE(
    "What ranks write into a tensor counts: a gradient that needs the old numbers is refused") {
  const auto refused = [](const auto& write) {
    const Tensor a = Tensor::of({1., 2.}).requires_grad_(), b = Tensor::of({3., 4.});
    const Tensor y = sum(a * b);
    write(b);
    return message<TapeError>([&] { y.backward(); });
  };
  CHECK_THAT(refused([](const Tensor& b) { world().all_reduce(b); }), ContainsSubstring("mul"));
  for (int root = 0; root < world().size(); ++root) {
    const std::string said = refused([&](const Tensor& b) { world().broadcast(b, root); });
    CHECK((said == "nothing was thrown") == (world().rank() == root));
  }
}

TEST_CASE("Collectives move what each rank has, from whichever root") {
  const int n = world().size(), me = world().rank();
  for (int root = 0; root < n; ++root) {
    const Tensor x = Tensor::full({2, 3}, static_cast<Scalar>(me));
    world().broadcast(x, root);
    CHECK(x.to_vector() == Values(6, static_cast<Scalar>(root)));
    CHECK(world().broadcast(std::string(me, 'a' + static_cast<char>(me)), root) ==
          std::string(root, 'a' + static_cast<char>(root)));
  }
  const std::vector<std::string> parts =
      world().all_gather(std::string(me, 'a' + static_cast<char>(me)));
  REQUIRE(parts.size() == static_cast<size_t>(n));
  for (int r = 0; r < n; ++r) CHECK(parts[r] == std::string(r, 'a' + static_cast<char>(r)));
  CHECK(message<ValueError>([&] { world().broadcast(Tensor::ones({1}), n); }) ==
        "broadcast: there is no rank " + std::to_string(n) + " among " + std::to_string(n));
}

TEST_CASE("No bucket exceeds its cap but that of a parameter which does so alone") {
  std::vector<Tensor> parameters;
  for (const int64_t n : {5, 40, 1, 1, 1, 1, 1, 1, 1, 30, 31, 200, 3, 62}) {
    parameters.push_back(Tensor::ones({n}).requires_grad_().set_name(std::to_string(n)));
  }
  const size_t cap = 256;
  nn::DistributedDataParallel parallel(world(), parameters, {.bucket_cap_mb = cap / 0x1p20});
  size_t numbers = 0, above = 0;
  for (const size_t bytes : parallel.bucket_bytes()) {
    numbers += bytes / sizeof(Scalar);
    if (bytes <= cap) continue;
    ++above;
    CHECK(bytes == 201 * sizeof(Scalar));
  }
  CHECK(above == 1);
  CHECK(numbers == 378 + 14 + 2);  // each with a number that says whether it is there; the loss
}

TEST_CASE("A rank with other options, parameters or weights is named, on every rank") {
  const int last = world().size() - 1;
  const auto refused = [&](nn::DistributedOptions options, const std::vector<Tensor>& parameters) {
    return message<ValueError>([&] { nn::DistributedDataParallel(world(), parameters, options); });
  };
  const bool other = world().rank() == last && last > 0;
  const auto named = [&](const std::string& what, const std::string& value,
                         const std::string& of_0) {
    if (last == 0) return std::string("nothing was thrown");
    return "rank " + std::to_string(last) + " on " + world().host(last) + " has " + what + ' ' +
           value + ", and rank 0 on " + world().host(0) + " has " + what + ' ' + of_0;
  };
  const Tensor w = Tensor::ones({2, 3}).requires_grad_().set_name("w");
  CHECK(refused({other ? 5 : 4}, {w}) == named("micro-batches", "5", "4"));
  CHECK(refused({4, other ? 0.5 : 2}, {w}) == named("bucket_cap_mb", "0.500000", "2.000000"));
  const Tensor v = Tensor::ones({2, 3}).requires_grad_().set_name(other ? "v" : "w");
  CHECK(refused({4}, {w, v}) == named("parameters", "w [2, 3], v [2, 3]", "w [2, 3], w [2, 3]"));
  const Tensor turned =
      Tensor::ones(other ? Shape{3, 2} : Shape{2, 3}).requires_grad_().set_name("w");
  CHECK(refused({4}, {turned}) == named("parameters", "w [3, 2]", "w [2, 3]"));
  const Tensor grown = Tensor::full({1}, other ? 2 : 1).requires_grad_().set_name("w");
  CHECK(refused({4}, {grown}).find(last == 0 ? "nothing was thrown" : " has weights of hash ") !=
        std::string::npos);
}

TEST_CASE("A batch that is refused leaves gradients, random numbers and the step's number alone") {
  manual_seed(3);
  const LeastSquares model(4, 3);
  model.w.set_grad(Tensor::full({3}, 3.));
  nn::DistributedDataParallel parallel(world(), {model.w, model.b}, {.micro_batches = 2});
  const RandomState random = random_state();
  const int64_t step = world().step;
  for (const int64_t examples : {0, -1}) {
    CHECK_THAT(message<ValueError>([&] { parallel.backward(examples, model); }),
               ContainsSubstring("a batch of " + std::to_string(examples) + " examples"));
  }
  CHECK(model.w.grad().to_vector() == Values(3, 3));
  CHECK(random_state().call == random.call);
  CHECK(world().step == step);
  parallel.backward(4, model);
  CHECK(world().step == step + 1);
}

TEST_CASE("A timeline has what was computed, waited for and sent, each within the step") {
  manual_seed(2);
  const LeastSquares model(12, 5);
  nn::DistributedDataParallel parallel(world(), {model.w, model.b},
                                       {.micro_batches = 6, .bucket_cap_mb = 0});
  std::vector<nn::DistributedDataParallel::Event> events;
  parallel.timeline = &events;
  const double began = nn::seconds_now();
  parallel.backward(12, [&](int64_t first, int64_t last) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    return model(first, last);
  });
  const double ended = nn::seconds_now();
  std::vector<std::string> computed, sent;
  double waits = 0;
  for (const auto& [name, lane, begin, end] : events) {
    CHECK((began <= begin && begin <= end && end <= ended));
    if (lane == 0) {
      computed.push_back(name);
      CHECK(end - begin >= 3e-3);
    } else if (lane == 1) {
      CHECK(name == "wait");
      ++waits;
    } else {
      sent.push_back(name);
      CHECK(name == "bucket " + std::to_string(lane - 2));
    }
  }
  // Rank r of R has the micro-batches from r·M/R, rounded up, on.
  const int r = world().rank(), n = world().size();
  std::vector<std::string> own;
  for (int m = 0; m < 6; ++m) {
    if (m * n >= r * 6 && m * n < (r + 1) * 6) own.push_back("micro-batch " + std::to_string(m));
  }
  CHECK(computed == own);
  CHECK(waits == 1);
  std::sort(sent.begin(), sent.end());
  CHECK(sent == std::vector<std::string>{"bucket 0", "bucket 1", "bucket 2"});
}

TEST_CASE("When it is gone, backward() of a parameter does what it did before") {
  manual_seed(1);
  const LeastSquares model(6, 3);
  {
    nn::DistributedDataParallel parallel(world(), {model.w, model.b}, {.micro_batches = 3});
    parallel.backward(6, model);
  }
  for (const Tensor& p : {model.w, model.b}) {
    const int hook = p.register_hook([](const Tensor&) { return Tensor(); });
    CHECK(hook == 0);  // the only one
    p.remove_hook(hook);
  }
  model.w.set_grad({}), model.b.set_grad({});
  model(0, 6).backward();
  Doubles dw, db;
  double loss = 0;
  model.by_hand(dw, db, loss);
  CHECK(error(model.w.grad(), dw) < 2e-6);
  CHECK(error(model.b.grad(), db) < 2e-6);
}

TEST_CASE("A rank that is slow, but says that it is there, is waited for", "[.slow]") {
  world().barrier();  // all are there, however long that took
  const double began = nn::seconds_now();
  if (world().rank() == world().size() - 1) {
    while (nn::seconds_now() - began < 2 * timeout()) {
      world().poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
  world().barrier();
  CHECK(nn::seconds_now() - began >= 2 * timeout());
}
