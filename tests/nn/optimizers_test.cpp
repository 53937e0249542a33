#include <random>

#include "nn/adamw.hpp"
#include "nn/grad_scaler.hpp"
#include "nn/sgd.hpp"
#include "nn/zero_grad.hpp"
#include "tests/support/test.hpp"

namespace {

Scalar step(auto& optimizer, const Tensor& w, Scalar grad) {
  w.set_grad(Tensor::of({grad}));
  optimizer.step();
  return w.item();
}

}

TEST_CASE("SGD follows PyTorch's formula: decay, then momentum, then a look ahead") {
  const double ways[][3] = {{0, 0, 0}, {0.9, 0, 0}, {0, 0.2, 0}, {0.9, 0.2, 0}, {0.9, 0.2, 1}};
  for (const auto& [momentum, decay, nesterov] : ways) {
    const Tensor w = Tensor::randn({6}).requires_grad_();
    nn::SGD sgd({w}, Scalar(0.1), Scalar(momentum), Scalar(decay), nesterov > 0);
    std::vector<double> plain(w.data(), w.data() + 6), v(6);
    for (int t = 1; t <= 5; ++t) {
      w.set_grad(Tensor::randn({6}));
      sgd.step();
      for (size_t i = 0; i < 6; ++i) {
        const double g = w.grad().data()[i] + decay * plain[i];
        v[i] = momentum * v[i] + g;
        plain[i] -= 0.1 * (nesterov > 0 ? g + momentum * v[i] : v[i]);
        CHECK(w.data()[i] == Approx(plain[i]).margin(1e-5));
      }
    }
  }
  CHECK_THROWS_AS(nn::SGD({parameter(1)}, 1, 0, 0, true), ValueError);
}

TEST_CASE("AdamW follows the formula of its paper") {
  const double ways[][5] = {{1e-3, .9, .999, 1e-8, 1e-2}, {.1, .9, .999, 1e-8, 0}, {.1, .8, .95, 1e-3, .3}};
  for (const auto& [lr, beta1, beta2, eps, decay] : ways) {
    const Tensor w = Tensor::randn({6}).requires_grad_();
    nn::AdamW adamw({w}, lr, beta1, beta2, eps, decay);
    std::vector<double> plain(w.data(), w.data() + 6), m(6), v(6);
    for (int t = 1; t <= 5; ++t) {
      w.set_grad(Tensor::randn({6}));
      adamw.step();
      for (size_t i = 0; i < 6; ++i) {
        const double g = w.grad().data()[i];
        m[i] = beta1 * m[i] + (1 - beta1) * g;
        v[i] = beta2 * v[i] + (1 - beta2) * g * g;
        const double root = std::sqrt(v[i] / (1 - std::pow(beta2, t))) + eps;
        plain[i] -= lr * decay * plain[i] + lr * m[i] / (1 - std::pow(beta1, t)) / root;
        CHECK(w.data()[i] == Approx(plain[i]).margin(1e-5));
      }
    }
  }
}

TEST_CASE("Optimizers refuse numbers outside their range, or not finite") {
  CHECK_ERROR(ValueError, nn::SGD({}, -1), "SGD: lr -1 is negative or not finite");
  CHECK_ERROR(ValueError, nn::AdamW({}, 1, 0.9, 0.999, -1), "AdamW: eps -1 is negative or not finite");
  CHECK_ERROR(ValueError, nn::SGD({}), "SGD: there are no parameters");
  CHECK_ERROR(ValueError, nn::AdamW({}), "AdamW: there are no parameters");
  CHECK_ERROR(ValueError, nn::AdamW({parameter(1)}, 1, 1), "AdamW: betas 1 and 0.999 must be in [0,1)");
  const Tensors w{parameter(1)};
  for (const double wrong : {-1., double{infinity}, std::nan("")}) {
    const auto small = Scalar(wrong);
    CHECK_THROWS_AS(nn::SGD(w, small), ValueError);
    CHECK_THROWS_AS(nn::SGD(w, 1, small), ValueError);
    CHECK_THROWS_AS(nn::SGD(w, 1, 0, small), ValueError);
    CHECK_THROWS_AS(nn::AdamW(w, wrong), ValueError);
    CHECK_THROWS_AS(nn::AdamW(w, 1, wrong), ValueError);
    CHECK_THROWS_AS(nn::AdamW(w, 1, 0.9, wrong), ValueError);
    CHECK_THROWS_AS(nn::AdamW(w, 1, 0.9, 0.999, wrong), ValueError);
    CHECK_THROWS_AS(nn::AdamW(w, 1, 0.9, 0.999, 1e-8, wrong), ValueError);
  }
  CHECK_THROWS_AS(nn::AdamW(w, 1, 0.9, 1), ValueError);
}

TEST_CASE("A parameter without a gradient stays, and its steps are counted from its first one") {
  const Tensor used = parameter({1}), late = parameter({1}), fresh = parameter({1});
  nn::SGD sgd({used, late}, Scalar(0.1), Scalar(0.9), Scalar(0.5));
  step(sgd, used, 1);
  CHECK(late.item() == 1);
  nn::AdamW both({late, used}), one({fresh});
  const Scalar before = used.item();
  CHECK(step(both, used, 1) < before);
  CHECK(late.item() == 1);
  CHECK(step(both, late, 1) == step(one, fresh, 1));
}

TEST_CASE("A step is not recorded, and makes earlier saved tensors stale") {
  const Tensor w = parameter({2});
  nn::SGD sgd({w}, Scalar(0.1));
  nn::AdamW adamw({w}, 0.1);
  const auto stale_after = [&](auto& optimizer) {
    const Tensor loss = w * w;
    step(optimizer, w, 1);
    CHECK(w.is_leaf());
    CHECK_THROWS_AS(loss.backward(), TapeError);
  };
  stale_after(sgd);
  stale_after(adamw);
}

TEST_CASE("A step leaves the gradient as it was, zero_grad writes zeros into it, and SGD's velocity is its own") {
  const Tensor w = parameter({2}), unused = parameter({1});
  nn::SGD sgd({w, unused}, Scalar(0.1), Scalar(0.9), Scalar(0.5));
  nn::AdamW adamw({w, unused}, 0.1);
  step(sgd, w, 3);
  step(sgd, w, 3);
  CHECK(w.grad().item() == 3);
  sgd.zero_grad();
  CHECK(w.grad().item() == 0);
  step(adamw, w, 3);
  CHECK(w.grad().item() == 3);
  adamw.zero_grad();
  CHECK(w.grad().item() == 0);
  CHECK_FALSE(unused.grad().defined());
  const Tensor v = parameter({1});
  nn::SGD fast({v}, 1, Scalar(0.5));
  step(fast, v, 4);
  fast.zero_grad();
  fast.step();
  CHECK(v.item() == 1 - 4 - 2);
  CHECK(v.grad().item() == 0);
}

TEST_CASE("Optimizers refuse non-parameters when constructed, not in a step") {
  const Tensor w = parameter({1});
  CHECK_ERROR(ValueError, nn::AdamW({w, Tensor()}), "AdamW: parameter 1 is undefined");
  CHECK_ERROR(ValueError, nn::SGD({w * 2}), "SGD: parameter 0, [1], is the output of an op and not a leaf");
}

TEST_CASE("AdamW refuses another's state if the parameters are others, and keeps its own") {
  const Tensor w = parameter({1}), v = parameter({1});
  nn::AdamW adamw({w}), undisturbed({v});
  step(adamw, w, 1), step(undisturbed, v, 1);
  CHECK_ERROR(ShapeError, adamw.load_state({}), "AdamW: a state of 0 tensors, and 3 are wanted");
  CHECK(adamw.state()[2].first == "0.t");
  CHECK(adamw.state()[2].second.item() == 1);
  const Tensor wider = Tensor::ones({2}).requires_grad_();
  CHECK_ERROR(ShapeError, adamw.load_state(nn::AdamW({wider}).state()), "AdamW: 0.m [2] in the state, and not 0.m [1]");
  nn::NamedTensors renamed = adamw.state();
  renamed[1].first = "v";
  CHECK_THROWS_AS(adamw.load_state(renamed), ShapeError);
  CHECK(step(adamw, w, 3) == step(undisturbed, v, 3));
}

TEST_CASE("An optimizer that has run and then loads a state is one made anew that loads it") {
  const auto values = [](const nn::NamedTensors& state) {
    std::vector<Values> all;
    for (const auto& [name, x] : state) all.push_back(x.to_vector());
    return all;
  };
  const auto spoil = [](const nn::NamedTensors& state) {
    for (const auto& [name, x] : state) x.fill_(1e6);
  };
  const auto check = [&](auto make) {
    const auto leaves = [] { return Tensors{parameter({1, -2}), parameter({0.5}), parameter({3})}; };
    const auto run = [](auto& optimizer, int steps, int used, Scalar gradient) {
      for (int step = 0; step < steps; ++step) {
        for (int i = 0; i < used; ++i) {
          const Tensor& w = optimizer.parameters()[size_t(i)];
          w.set_grad(full_like(w, gradient + Scalar(step)));
        }
        optimizer.step();
      }
    };
    for (const auto& [before, used] : {std::pair(0, 0), {1, 1}, {1, 3}, {5, 2}}) {  // in the state
      auto saved = make(leaves());
      run(saved, before, used, 2);
      const nn::NamedTensors state = saved.state();
      const std::vector<Values> there = values(state);
      spoil(saved.state());  // a copy
      CHECK(values(saved.state()) == there);
      for (const int ran_with : {1, 2, 3}) {
        auto ran = make(leaves()), fresh = make(leaves());
        run(ran, 4, ran_with, -7);
        nn::zero_grad(ran.parameters(), true);
        for (const Tensor& w : ran.parameters()) w.detach().fill_(1);
        for (const Tensor& w : fresh.parameters()) w.detach().fill_(1);
        nn::NamedTensors given = state;
        for (auto& [name, x] : given) x = x.clone();
        ran.load_state(given), fresh.load_state(given);
        spoil(given);
        CHECK(values(ran.state()) == there);
        for (const int with : {1, 2, 3}) {
          CAPTURE(before, used, ran_with, with);
          run(ran, 1, with, Scalar(0.25)), run(fresh, 1, with, Scalar(0.25));
          CHECK(nn::hash(ran.parameters()) == nn::hash(fresh.parameters()));
        }
      }
      run(saved, 1, 3, 5);
      CHECK(values(state) == there);
      for (size_t fewer = 0; fewer < state.size(); ++fewer)
        CHECK_THROWS_AS(saved.load_state({state.begin(), state.begin() + int64_t(fewer)}), ShapeError);
    }
  };
  check([](Tensors w) { return nn::SGD(w, Scalar(0.1)); });
  check([](Tensors w) { return nn::SGD(w, Scalar(0.1), Scalar(0.9)); });
  check([](Tensors w) { return nn::SGD(w, Scalar(0.1), Scalar(0.9), Scalar(0.2), true); });
  check([](Tensors w) { return nn::AdamW(w, 0.1); });
}

TEST_CASE("Whatever a scaler has seen, it goes on as one made anew with its scale and as many good steps") {
  std::mt19937 random(1);
  const Tensor w = parameter({1});
  nn::SGD sgd({w}, 1);
  nn::GradScaler scaler(1024, 2, 0.25, 5);
  double scale = 1024;
  int good = 0;
  for (int step = 0; step < 300; ++step) {
    const bool overflows = random() % 8 == 0, ahead = random() % 2;
    w.detach().fill_(0);
    w.set_grad(Tensor::of({overflows ? infinity : Scalar(scale)}));
    if (ahead) scaler.unscale_({w});
    REQUIRE(scaler.step(sgd) == !overflows);
    REQUIRE(w.item() == (overflows ? 0 : -1));
    scaler.update();
    good = overflows ? 0 : good + 1;
    if (overflows) scale /= 4;
    if (good == 5) scale *= 2, good = 0;
    REQUIRE(scaler.get_scale() == scale);
  }
}

TEST_CASE("Parameters that are views of one vector are stepped as others, and write the vector") {
  const auto vector_after = [](auto make, bool views) {
    const Tensor all = Tensor::of({1., -2., 0.5, 3., -1.});
    Tensors parameters{all.slice(0, 0, 2), all.slice(0, 2, 3), all.slice(0, 3, 5)};
    for (Tensor& p : parameters) p = (views ? p.detach() : p.clone()).requires_grad_();
    auto optimizer = make(parameters);
    for (int step = 0; step < 3; ++step) {
      for (const Tensor& p : parameters) p.set_grad(arange(p.numel()) * 2. - step);
      optimizer.step();
    }
    const NoGrad no_grad;
    return (views ? all : concat(parameters)).to_vector();
  };
  const auto check = [&](auto make) { CHECK(vector_after(make, true) == vector_after(make, false)); };
  check([](Tensors w) { return nn::SGD(w, Scalar(0.1)); });
  check([](Tensors w) { return nn::SGD(w, Scalar(0.1), Scalar(0.9), Scalar(0.2), true); });
  check([](Tensors w) { return nn::AdamW(w, 0.1); });
}
