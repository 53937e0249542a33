// Refusals, waits and notes of ranks. mpirun starts this.
#include <chrono>
#include <thread>

#include "core/check.hpp"
#include "core/tape/modes.hpp"
#include "core/tensor/random.hpp"
#include "demos/distributed/cost_model.hpp"
#include "demos/distributed/training.hpp"
#include "demos/parts/language_model.hpp"
#include "nn/nn.hpp"
#include "tests/distributed/world.hpp"

using namespace stepgrad;

TEST_CASE("A rank with other options, parameters or weights is named, on every rank") {
  const auto refused = [&](nn::DistributedOptions options, const std::vector<Tensor>& parameters) {
    return message<ValueError>([&] { nn::DistributedDataParallel(world(), parameters, options); });
  };
  for (int odd = 1; odd < world().size(); ++odd) {
    const bool other = world().rank() == odd;
    const auto named = [&](const std::string& what, const std::string& value,
                           const std::string& of_0) {
      return "rank " + std::to_string(odd) + " on " + world().host(odd) + " has " + what + ' ' +
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
    CHECK_THAT(refused({4}, {grown}), ContainsSubstring("rank " + std::to_string(odd) + " on ") &&
                                          ContainsSubstring(" has weights of hash "));
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
    nn::DistributedDataParallel parallel(world(), {model.w, model.b}, way);
    const auto step = [&](const Shape& shape) {
      model.w.set_grad({}), model.b.set_grad({});
      return parallel.backward(
          6, [&](int64_t first, int64_t last) { return expand(model(first, last), shape); });
    };
    CHECK_ERROR(ShapeError, step({2}),
                "DistributedDataParallel: a loss of [2] is not a single number");
    CHECK_ERROR(ShapeError, step({1, 0}),
                "DistributedDataParallel: a loss of [1, 0] is not a single number");
    Doubles dw, db;
    double loss = 0;
    model.by_hand(dw, db, loss);
    for (const Shape& shape : {Shape{}, Shape{1}, Shape{1, 1}}) {
      CHECK(step(shape) == Approx(loss).epsilon(1e-5));
      CHECK(error(model.w.grad(), dw) < 2e-6);
      CHECK(error(model.b.grad(), db) < 2e-6);
    }
  }
}

TEST_CASE("A timeline has computing, waiting and messages, each within the step") {
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

TEST_CASE("With overlap the first sum is on its way before the micro-batch ends, in every step") {
  for (const bool overlap : {true, false}) {
    const LeastSquares model(12, 5);
    nn::DistributedDataParallel parallel(
        world(), {model.w, model.b}, {.micro_batches = 8, .bucket_cap_mb = 0, .overlap = overlap});
    for (int step = 0; step < 3; ++step) {
      std::vector<nn::DistributedDataParallel::Event> events;
      parallel.timeline = &events;
      parallel.backward(12, model);
      double computed = 0, sent = infinity;
      for (const auto& [name, lane, begin, end] : events) {
        if (lane == 0) computed = std::max(computed, end);
        if (lane >= 2) sent = std::min(sent, begin);
      }
      CHECK((sent < computed) == (overlap && world().size() > 1));
    }
  }
}

TEST_CASE("After its destruction, a parameter's backward() is as before") {
  manual_seed(1);
  const LeastSquares model(6, 3);
  {
    nn::DistributedDataParallel parallel(world(), {model.w, model.b}, {.micro_batches = 3});
    parallel.backward(6, model);
  }
  for (const Tensor& p : {model.w, model.b}) {
    CHECK((!p.node()->hooks || p.node()->hooks->empty()));
  }
  model.w.set_grad({}), model.b.set_grad({});
  model(0, 6).backward();
  Doubles dw, db;
  double loss = 0;
  model.by_hand(dw, db, loss);
  CHECK(error(model.w.grad(), dw) < 2e-6);
  CHECK(error(model.b.grad(), db) < 2e-6);
}

TEST_CASE("A slow rank that calls poll() is waited for", "[.slow]") {
  world().barrier();  // all are there, however long that took
  const double began = nn::seconds_now();
  if (world().rank() == world().size() - 1) {
    while (nn::seconds_now() - began < 2 * timeout()) {
      world().poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
  world().barrier();
  CHECK(nn::seconds_now() - began >
        1.5 * timeout());  // each left the first barrier at its own time
}

TEST_CASE("Ranks that all compute for longer than the timeout do not blame each other", "[.slow]") {
  world().barrier();
  const double began = nn::seconds_now();
  std::this_thread::sleep_for(std::chrono::duration<double>(1.5 * timeout()));
  world().barrier();
  CHECK(nn::seconds_now() - began >= 1.5 * timeout());
}

TEST_CASE("The buckets' cost equals a schedule drawn by hand") {
  // Messages of 4 and 8 bytes take 1 + 0.75·4 = 4 and 1 + 0.75·8 = 7 seconds.
  const auto seconds = [](int up, int down, const std::vector<size_t>& buckets) {
    return demo::CostModel{1, 0.5, 0.25, up, down}.reduction(buckets);
  };
  CHECK(seconds(2, 3, {}) == 0);
  CHECK(seconds(2, 3, {4}) == 8 + 12);
  CHECK(seconds(2, 3, {4, 8}) == 22 + 21);      // up until 8 and 22; the first is down at 20
  CHECK(seconds(1, 3, {4, 4}) == 4 + 12 + 12);  // up until 4 and 8; the first is down at 16
  CHECK(seconds(2, 1, {8, 4, 4}) == 14 + 8 + 8 + 4);
  const auto step = [](double backward, bool overlap) {
    return demo::CostModel{1, 0.5, 0.25, 2, 3}.step(100, backward, {4, 8}, overlap);
  };
  CHECK(step(10, false) == 100 + 43);
  CHECK(step(3, true) == 100 + 40);   // backward hides 3 of it
  CHECK(step(30, true) == 100 + 35);  // nothing hides the last bucket's 14 + 21
  CHECK(demo::median({5, 1, 3}) == 3);
  CHECK(demo::median({4, 1, 3, 2}) == 3);
  const std::vector<int> up{0, 1, 2, 2, 3, 3, 3, 3}, down{0, 1, 2, 3, 1, 1, 1, 1};
  const demo::CostModel measured = demo::measure_costs(world());
  CHECK(measured.up == up[world().size() - 1]);
  CHECK(measured.down == down[world().size() - 1]);
  CHECK((measured.alpha > 0) == (world().size() > 1));
  CHECK((measured.gamma > 0) == (world().size() > 1));
}

TEST_CASE("The demo trains as one process by hand, and its loss is that of all that is held out") {
  demo::Options options;
  options.steps = 3, options.batch = 12, options.micro_batches = 6;
  std::u32string words;
  for (char32_t i = 0; i < 6000; ++i) words += i < 5400 ? U'a' + i * i % 11 : U'z';
  const demo::Text text(words);
  for (const auto& [model, is_fused] :
       {std::pair{"characters", true}, {"characters", false}, {"transformer", true}}) {
    const FusedOps fused(is_fused);
    options.model = model;
    demo::Training training(world(), options, text, {.micro_batches = 6});
    manual_seed(0);
    const auto task = demo::make_task(options, text);
    std::vector<Tensor> parameters;
    for (const auto& [name, tensor] : task->named_parameters()) parameters.push_back(tensor);
    nn::AdamW optimizer(parameters);
    RandomState random = random_state();
    for (int step = 1; step <= 3; ++step) {
      INFO(options.model << " fused " << is_fused << ", step " << step << ", rank "
                         << world().rank());
      const double loss = training.step();
      set_random_state(random);
      task->held_out_loss(0);  // after which it trains again
      task->draw_batch();
      random = {random.seed, random_state().call + (uint64_t{1} << 32)};
      optimizer.zero_grad(true);
      const Tensor known = task->loss(0, 12);
      known.backward();
      // The peak is at 0.05 of steps + 1, and 0 at its end.
      optimizer.lr = (model[0] == 'c' ? 1e-3 : 3e-3) * (1 - step / 4.) / 0.95;
      optimizer.step();
      CHECK(loss == Approx(known.item()).epsilon(1e-4));
      for (const Scalar g : parameters[0].grad()[-1].to_vector()) CHECK(g == 0);  // of z
      CHECK(task->loss(0, 12).item() != task->loss(0, 12).item());                // dropout
    }
    double sum = 0;
    for (int64_t part = 0; part < task->held_out_parts(); ++part) sum += task->held_out_loss(part);
    if (model[0] == 't') {  // pieces of 64, each with a character behind it
      CHECK(task->held_out_characters() == 576);
    } else {
      CHECK(task->held_out_characters() == text.size() - text.held_out());
      demo::LanguageModel same(std::ssize(text.alphabet), 8);
      const NoGrad no_grad;
      for (size_t k = 0; k < parameters.size(); ++k) same.parameters()[k].copy_(parameters[k]);
      sum = demo::held_out_loss(same, text) * static_cast<double>(task->held_out_characters());
    }
    CHECK(training.held_out_loss() ==
          Approx(sum / static_cast<double>(task->held_out_characters())).epsilon(1e-4));
  }
}
