// Refusals, waits and messages of ranks. mpirun starts this.
#include <chrono>
#include <string>
#include <thread>

#include "core/check.hpp"
#include "core/tape/modes.hpp"
#include "core/tensor/random.hpp"
#include "tests/distributed/world.hpp"

using namespace stepgrad;

namespace {
size_t sums_begun = 0;    // messages of the tree
std::vector<int> totals;  // messages from rank 0, in numbers
}

extern "C" int MPI_Isend(
    const void* numbers, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm, MPI_Request* request) {
  if (type == nn::scalar_type) ++sums_begun;
  return PMPI_Isend(numbers, count, type, rank, tag, comm, request);
}

extern "C" int MPI_Irecv(
    void* numbers, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm, MPI_Request* request) {
  if (type == nn::scalar_type) ++sums_begun;
  return PMPI_Irecv(numbers, count, type, rank, tag, comm, request);
}

extern "C" int MPI_Ibcast(void* numbers, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  if (type == nn::scalar_type) totals.push_back(count);
  return PMPI_Ibcast(numbers, count, type, root, comm, request);
}

TEST_CASE("A rank with other options, parameters or weights is named, on every rank") {
  const auto refused = [&](nn::DistributedOptions options, const Tensors& parameters) {
    return message<ValueError>([&] { nn::DistributedDataParallel(world(), parameters, options); });
  };
  for (int odd = 1; odd < world().size(); ++odd) {
    const bool other = world().rank() == odd;
    const auto named = [&](const std::string& what, const std::string& value, const std::string& of_0) {
      return "rank " + std::to_string(odd) + " on " + world().host(odd) + " has " + what + ' ' + value +
          ", and rank 0 on " + world().host(0) + " has " + what + ' ' + of_0;
    };
    const Tensor w = Tensor::ones({2, 3}).requires_grad_().set_name("w");
    CHECK(refused({other ? 5 : 4}, {w}) == named("micro-batches", "5", "4"));
    CHECK(refused({4, other ? 0.5 : 2}, {w}) == named("bucket_cap_mb", "0.500000", "2.000000"));
    const Tensor v = Tensor::ones({2, 3}).requires_grad_().set_name(other ? "v" : "w");
    CHECK(refused({4}, {w, v}) == named("parameters", "w [2, 3], v [2, 3]", "w [2, 3], w [2, 3]"));
    const Tensor turned = Tensor::ones(other ? Shape{3, 2} : Shape{2, 3}).requires_grad_().set_name("w");
    CHECK(refused({4}, {turned}) == named("parameters", "w [3, 2]", "w [2, 3]"));
    const Tensor grown = Tensor::full({1}, other ? 2 : 1).requires_grad_().set_name("w");
    CHECK_THAT(refused({4}, {grown}),
        ContainsSubstring("rank " + std::to_string(odd) + " on ") && ContainsSubstring(" has weights of hash "));
  }
  const Tensor w = Tensor::ones({2}).requires_grad_();
  CHECK(refused({0}, {w}) == "DistributedDataParallel: 0 micro-batches are not at least one");
  CHECK(refused({4}, {w}) == "nothing was thrown");
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

TEST_CASE("A loss that is not one number is refused, and the next step works") {
  for (const nn::DistributedOptions& way : ways(6)) {  // each rank has a micro-batch to refuse
    manual_seed(4);
    const LeastSquares model(6, 3);
    nn::DistributedDataParallel parallel(world(), model.parameters(), way);
    Scalar before = 0;
    const auto step = [&](const Shape& shape) {
      for (const Tensor& p : model.parameters()) p.set_grad({});
      model.b.set_grad(Tensor::full({1}, ++before));
      return parallel.backward(6, [&](int64_t first, int64_t last) { return expand(model(first, last), shape); });
    };
    CHECK_ERROR(ShapeError, step({2}), "DistributedDataParallel: a loss of [2] is not a single number");
    CHECK_ERROR(ShapeError, step({1, 0}), "DistributedDataParallel: a loss of [1, 0] is not a single number");
    for (const Shape& shape : {Shape{}, Shape{1}, Shape{1, 1}}) {
      const double loss = step(shape);
      std::vector<Values> expected = of_one(model, 6);
      expected[1][0] += before;
      CHECK(of_ranks(model, loss) == expected);
    }
  }
}

TEST_CASE("With overlap the first sum is on its way before backward ends, in every step") {
  for (const bool overlap : {true, false}) {
    const LeastSquares model(12, 5);
    nn::DistributedDataParallel parallel(
        world(), {model.w, model.b}, {.micro_batches = 8, .bucket_cap_mb = 0, .overlap = overlap});
    size_t during = 0;  // a hook's own call is within backward
    model.w.register_hook([&](const Tensor&) {
      during = sums_begun;
      return Tensor();
    });
    for (int step = 0; step < 3; ++step) {
      sums_begun = 0;
      parallel.backward(12, model);
      CHECK((during > 0) == (overlap && world().size() > 1));
      CHECK((sums_begun > 0) == (world().size() > 1));
    }
  }
}

TEST_CASE("No bucket exceeds its cap, unless one parameter does") {
  const auto messages = [](const std::vector<int64_t>& sizes, double cap_mb) {
    Tensors parameters;
    for (const int64_t n : sizes) {
      parameters.push_back(Tensor::ones({n}).requires_grad_().set_name("of " + std::to_string(n)));
    }
    nn::DistributedDataParallel parallel(world(), parameters, {.bucket_cap_mb = cap_mb});
    totals.clear();
    parallel.backward(8, [&](int64_t, int64_t) {
      Tensor loss = Tensor::zeros({});
      for (const Tensor& p : parameters) loss = loss + sum(p);
      return loss;
    });
    return totals;
  };
  // Each parameter has one number more, which says whether it is there; so has the loss. The last
  // parameters come first, the loss last. 256 bytes are 64 numbers.
  const std::vector<int64_t> sizes{5, 40, 1, 1, 1, 1, 1, 1, 1, 30, 31, 200, 3, 62};
  const std::vector<int> known{63, 4, 201, 63, 63};
  const bool alone = world().size() == 1;
  CHECK(messages(sizes, 256 / 0x1p20) == (alone ? std::vector<int>{} : known));
  CHECK(messages({131'071, 131'071}, 1) == (alone ? std::vector<int>{} : std::vector<int>{262'144, 2}));
}

TEST_CASE("After its destruction no parameter has its hook") {
  const LeastSquares model(6, 3);
  {
    nn::DistributedDataParallel parallel(world(), {model.w, model.b}, {.micro_batches = 3});
    parallel.backward(6, model);
  }
  for (const Tensor& p : {model.w, model.b}) {
    CHECK((!p.node()->hooks || p.node()->hooks->empty()));
  }
}

TEST_CASE("Ranks that all sleep, and a slow one that calls poll(), are waited for", "[.slow]") {
  world().barrier();
  std::this_thread::sleep_for(std::chrono::duration<double>(2 * timeout()));
  world().barrier();  // all are there, however long that took
  const double began = nn::seconds_now();
  if (world().rank() == world().size() - 1) {
    while (nn::seconds_now() - began < 2 * timeout()) {
      world().poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
  world().barrier();
  const double now = nn::seconds_now();  // all processes have one clock
  CHECK(now - std::stod(world().all_gather(std::to_string(began)).back()) > 1.99 * timeout());
}
