// What a page knows of numbers that the program has read.
#include "core/watch/readings.hpp"

#include "core/trace/recording.hpp"
#include "ops/ops.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/gradcheck.hpp"

// By what the values without an op have been read.
static std::string read(const Tensor& loss) {
  std::string text;
  for (const auto& value : recording_of(loss, 100).values)
    if (value.op < 0 && value.read.how)
      text += std::string(value.role) + (value.read.earlier ? " earlier " : " ") + value.read.how + ' ';
  return text;
}

TEST_CASE("Numbers that were read are named, if the loss may follow them unseen") {
  const KeepLedger on;
  const Tensor c = Tensor::of({1, 2}), d = Tensor::of({3, 4}), w = parameter({3, 4}), v = parameter({1, 1}),
               before = sum(c * v);
  CHECK(read(before).empty());
  sum(d * w).item();
  CHECK(read(before) + read(sum(c * v)) == "");  // the numbers of others were read, and later
  CHECK(read(sum(d * v)) == "constant item() ");
  CHECK(read(sum(c * w)) == "leaf item() ");
  sum(v).backward();
  const Tensor loss = sum(d * w);
  loss.item();  // a training prints its losses
  CHECK(read(loss) == "constant earlier item() leaf earlier item() ");
  const Tensor e = Tensor::of({5, 6}), f = Tensor::of({7, 8});
  for (const Tensor& each : {e, f}) sum(each * w).item();  // both are op 2 of an empty tape
  CHECK(read(sum(e * v)) + read(sum(f * v)) == "constant item() constant item() ");
  amax(c, 0).item();
  sum(v).backward();
  const std::string of_w = "leaf earlier item() ";
  CHECK(read(sum(c * w)) == "constant item() " + of_w);  // that depends on no weights
  c.fill_(7);
  CHECK(read(sum(c * w)) == of_w);
  CHECK(v.at(0) == c.at(0) - 6);
  CHECK(read(sum(c * v)) == "constant at() leaf at() ");
  const Tensor target = (w * 2).detach();
  sum(v).backward();
  CHECK(read(sum(target * w)) == "leaf an op before an earlier backward pass ");
}

TEST_CASE("Of data(), of a write to what detach() shares, and of gradients the tape has no numbers") {
  const KeepLedger on;
  const Tensor c = Tensor::of({1, 2}), v = parameter({1, 1}), u = parameter({5, 6});
  CHECK(read(sum(c * (v * 2).detach())).empty());  // detach() is on it
  const Tensor twice = v * 2;
  CHECK(twice.data()[0] == 2);
  CHECK(read(sum(c * v)) == "leaf data() ");
  sum(c).data();
  CHECK(read(sum(c * v)) == "constant data() leaf data() ");
  const Tensor d = Tensor::of({3, 4}), e = Tensor::of({5, 6}), w = parameter({7, 8});
  const Tensor b = Tensor::of({9, 9}), row = Tensor::zeros({1, 2});
  row[0] = b;
  CHECK(read(sum(b * row * v)) == "constant x[i] = leaf data() ");
  u.detach().mul_(d);
  CHECK(read(sum(d * u)) == "constant a write in place ");
  sum(e * w).backward();
  CHECK(read(sum(e * w)).empty());
  const std::string gradients = "backward(), whose gradients are used here, ";
  CHECK(read(sum(e * u * w.grad())) == "constant " + gradients);
  CHECK(read(sum(w * w.grad())) == "leaf " + gradients);
  const Tensor f = parameter({2, 3}), copy = (f * 1).detach().requires_grad_();
  sum(copy * copy).backward();
  CHECK(read(sum(f)) == "leaf earlier requires_grad_() ");
  CHECK(read(sum(f * copy.grad())) == "leaf " + gradients);
}

TEST_CASE("data() of given numbers reads them, unless they are others later") {
  const KeepLedger on;
  const Tensor c = Tensor::of({1, 2}), w = parameter({3, 4});
  for (int64_t i = 0; i < 2; ++i) c.data()[i] += 1, w.data()[i] += 1;
  CHECK(read(sum(c * w)) == "");
  w.data();
  CHECK(read(sum(c * w)) == "leaf data() ");
  c.data()[1] = 9;
  CHECK(read(sum(c * w)) == "leaf data() ");
  c.data()[0] = c.at(0);
  const Tensor d = Tensor::of({1, 2}), before = sum(d * w);
  d.data();
  const Tensor between = sum(d * w);
  d.data(), d.at(0);
  CHECK(read(before) + read(between) == "leaf data() constant data() leaf data() ");
  sum(w).backward();
  CHECK(read(sum(c * w)) == "constant at() leaf earlier data() ");
}

TEST_CASE("If numbers of a gradient are read, those that had a part in it are named, and no others") {
  const KeepLedger on;
  using T = const Tensor&;
  const auto after = [](void (*use)(T w, T t)) {
    const Tensor c = Tensor::of({1, 2}), d = Tensor::of({3, 4}), t = Tensor::of({5., 6.}), w = parameter({7, 8}),
                 v = parameter({9, 9});
    sum(c * w * w).backward();
    use(w, t);
    const std::string text = read(sum(c * d * t * v));
    sum(v).backward();
    if (text.ends_with(") ")) CHECK(read(sum(c * v)) == "constant earlier" + text.substr(8));
    return text;
  };
  CHECK(after([](T w, T) { sum(w.grad()).item(); }) == "constant item() ");
  CHECK(after([](T w, T) { w.grad().detach().data(); }) == "constant data() ");
  const auto of_earlier_pass = [](T w, T) {
    const Tensor saved = w.grad();
    w.set_grad({});
    sum(w).backward();
    saved.at(0);
  };
  CHECK(after(of_earlier_pass) == "constant at() ");
  const std::string used = "constant backward(), whose gradients are used here, ";
  CHECK(after([](T w, T t) { t.copy_(w.grad()); }) == used);
  CHECK(after([](T w, T t) { t.mul_(w.grad()); }) == used);
  // A step of a training writes to a leaf, whose numbers are then the program's own.
  const auto step = [](T w, T) {
    const NoGrad no_grad;
    w.sub_(w.grad() * 2);
    w.copy_(w - w.grad());
    w.grad().mul_(2);
  };
  CHECK(after(step) == "");
  const Tensor held = Tensor::of({1, 2}), running = Tensor::zeros({1}), p = parameter({3, 4});
  const auto average = [&] {
    const NoGrad no_grad;
    running.mul_(0.5).add_(sum(held * p));
  };
  average();
  sum(p).backward();
  average();
  const std::string of_average = "earlier an op before an earlier backward pass ";
  CHECK(read(sum(held * running * p)) == "constant " + of_average + "leaf " + of_average);
  const Tensor given = Tensor::of({1, 2}), trained = parameter({3, 4}), other = parameter({5, 6});
  for (int pass = 0; pass < 2; ++pass) {
    sum(given * trained * other).backward();
    const NoGrad no_grad;
    trained.sub_(trained.grad());
  }
  const std::string earlier = "constant earlier backward() leaf earlier backward() ";
  const Tensor last = sum(given * other * trained);
  CHECK(read(last) == earlier);
  last.backward();
  CHECK(read(last) == earlier);
  CHECK(read(sum(given * other)) == "");
  const Tensor u = parameter({1, 1}), e = Tensor::of({2, 2});
  u.set_grad(Tensor::of({1, 1}));
  sum(u * e).backward();
  u.grad().at(0);
  CHECK(read(sum(u * e)) == "leaf at() constant at() ");
}
