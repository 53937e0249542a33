// In-place ops: what they may write over, what a backward pass says when they wrote over something
// that it needs, and that their own gradients are right.
#include <functional>

#include "core/check.hpp"
#include "nn/relu.hpp"
#include "ops/ops.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/message.hpp"

using namespace stepgrad;

namespace {

Tensor operand(const char* name) { return Tensor::of({{1, 2}, {3, 4}}).set_name(name); }
Tensor leaf(const char* name) { return operand(name).requires_grad_(); }

void overwrite(const Tensor& x) {
  const NoGrad no_grad;
  x.mul_(2);
}

struct Case {
  const char* op;
  std::function<Tensor(Tensor a, Tensor b)> call;
  char written;        // a, b, or the output y
  const char* letter;  // what the op saved it as; null: it needs none of it
};

const std::vector<Case> cases{
    {"mul", [](Tensor a, Tensor b) { return a * b; }, 'a', "A"},
    {"mul", [](Tensor a, Tensor b) { return a * b; }, 'b', "B"},
    {"mul", [](Tensor a, Tensor b) { return a * b; }, 'y', nullptr},
    {"mul", [](Tensor a, Tensor b) { return a * b.detach(); }, 'a', nullptr},
    {"div", [](Tensor a, Tensor b) { return a / b; }, 'a', "A"},
    {"div", [](Tensor a, Tensor b) { return a / b; }, 'b', "B"},
    {"div", [](Tensor a, Tensor b) { return a / b; }, 'y', nullptr},
    {"div", [](Tensor a, Tensor b) { return a / b.detach(); }, 'a', nullptr},
    {"matmul", [](Tensor a, Tensor b) { return matmul(a, b); }, 'a', "A"},
    {"matmul", [](Tensor a, Tensor b) { return matmul(a, b); }, 'b', "B"},
    {"matmul", [](Tensor a, Tensor b) { return matmul(a, b); }, 'y', nullptr},
    {"matmul", [](Tensor a, Tensor b) { return matmul(a.detach(), b); }, 'b', nullptr},
    {"batched_matmul", [](Tensor a, Tensor b) { return batched_matmul(a, b); }, 'a', "A"},
    {"batched_matmul", [](Tensor a, Tensor b) { return batched_matmul(a, b); }, 'b', "B"},
    {"clamp", [](Tensor a, Tensor) { return clamp(a, 0); }, 'a', "X"},
    {"clamp", [](Tensor a, Tensor) { return clamp(a, 0); }, 'y', nullptr},
    {"relu", [](Tensor a, Tensor) { return relu(a); }, 'y', "Y"},
    {"relu", [](Tensor a, Tensor) { return relu(a); }, 'a', nullptr},
    {"log_softmax", [](Tensor a, Tensor) { return log_softmax(a); }, 'y', "Y"},
    {"log_softmax", [](Tensor a, Tensor) { return log_softmax(a); }, 'a', nullptr},
    {"masked_fill", [](Tensor a, Tensor b) { return masked_fill(a, b, 0); }, 'b', "M"},
    {"masked_fill", [](Tensor a, Tensor b) { return masked_fill(a, b, 0); }, 'a', nullptr},
    {"embedding", [](Tensor a, Tensor b) { return embedding(a, b.gt(9)); }, 'a', nullptr},
    {"cross_entropy",
     [](Tensor a, Tensor) {
       return cross_entropy(a, Tensor::of({0, 1}));
     },
     'a', nullptr},
    {"add", [](Tensor a, Tensor b) { return a + b; }, 'a', nullptr},
    {"add", [](Tensor a, Tensor b) { return a + b; }, 'y', nullptr},
    {"sub", [](Tensor a, Tensor b) { return a - b; }, 'b', nullptr},
    {"neg", [](Tensor a, Tensor) { return -a; }, 'a', nullptr},
    {"clone", [](Tensor a, Tensor) { return clone(a); }, 'a', nullptr},
    {"sum", [](Tensor a, Tensor) { return sum(a, 0); }, 'a', nullptr},
    {"mean", [](Tensor a, Tensor) { return mean(a, 0); }, 'a', nullptr},
    {"permute", [](Tensor a, Tensor) { return transpose(a, 0, 1); }, 'a', nullptr},
    {"reshape", [](Tensor a, Tensor) { return reshape(a, {4}); }, 'a', nullptr},
    {"expand",
     [](Tensor a, Tensor) {
       return expand(a, {2, 2, 2});
     },
     'a', nullptr},
    {"repeat",
     [](Tensor a, Tensor) {
       return repeat(a, {2, 2});
     },
     'a', nullptr},
};

// The gradient of a for an upstream gradient of ones; undefined if a has none.
Tensor grad_of_a(const Case& c, bool overwritten) {
  const Tensor a = leaf("a"), b = leaf("b"), y = c.call(a, b).set_name("y");
  if (overwritten) overwrite(c.written == 'a' ? a : c.written == 'b' ? b : y);
  y.backward(ones_like(y));
  return a.grad();
}

}  // namespace

TEST_CASE("Writing over what an op saved makes backward throw, and over anything else does not") {
  for (const Case& c : cases) {
    INFO(c.op << " of which " << c.written << " is written over");
    if (!c.letter) {
      const Tensor touched = grad_of_a(c, true), untouched = grad_of_a(c, false);
      REQUIRE(touched.defined() == untouched.defined());
      if (touched.defined()) CHECK(touched.to_vector() == untouched.to_vector());
      continue;
    }
    const std::string says = message<TapeError>([&] { grad_of_a(c, true); });
    CHECK(says.starts_with("backward: " + std::string(c.op) + " at in_place_test.cpp:"));
    CHECK(says.ends_with(std::string(" saved ") + c.letter + " '" + c.written +
                         "' [2, 2] at version 0, and an in-place op has changed it to version 1"));
  }
}

TEST_CASE("Ids and targets are saved too") {
  const Tensor table = leaf("table"), rows = Tensor::of({0, 1}).set_name("rows");
  const Tensor found = embedding(table, rows), loss = cross_entropy(table, rows);
  const int line = __LINE__ - 1;
  overwrite(rows);
  const auto says = [&](const char* op, const char* letter) {
    return "backward: " + std::string(op) + " at in_place_test.cpp:" + std::to_string(line) +
           " saved " + letter +
           " 'rows' [2] at version 0, and an in-place op has changed it to version 1";
  };
  CHECK(message<TapeError>([&] { sum(found).backward(); }) == says("embedding", "ids"));
  CHECK(message<TapeError>([&] { loss.backward(); }) == says("cross_entropy", "T"));
}

TEST_CASE("A pass that finds something written over has not touched any gradient") {
  const Tensor a = leaf("a"), b = leaf("b");
  const Tensor early = a * b, late = early + a;
  overwrite(b);
  CHECK_THROWS_AS(late.backward(ones_like(late)), TapeError);
  CHECK_FALSE(a.grad().defined());
  CHECK_FALSE(b.grad().defined());
  (a + 1).backward(ones_like(a));
  CHECK(a.grad().to_vector() == Values{1, 1, 1, 1});
}

TEST_CASE("Views share their version, so writing through one is seen by who saved another") {
  const auto through = [](std::function<Tensor(Tensor)> view) {
    const Tensor a = leaf("a"), b = leaf("b"), y = a * b;
    overwrite(view(b));
    return message<TapeError>([&] { y.backward(ones_like(y)); });
  };
  const std::string says =
      "'b' [2, 2] at version 0, and an in-place op has changed it to version 1";
  CHECK(through([](Tensor b) { return b.reshape({4}); }).ends_with(says));
  CHECK(through([](Tensor b) { return b.view({-1}); }).ends_with(says));
  CHECK(through([](Tensor b) { return b.unsqueeze(0); }).ends_with(says));
  CHECK(through([](Tensor b) { return b.unsqueeze(0).squeeze(0); }).ends_with(says));
  CHECK(through([](Tensor b) { return b.detach(); }).ends_with(says));
  CHECK(through([](Tensor b) { return b.clone(); }) == "nothing was thrown");
}

TEST_CASE("Each way of writing in place counts as a version") {
  const std::vector<std::function<void(Tensor)>> ways{
      [](Tensor x) { x.fill_(2); },
      [](Tensor x) { x.zero_(); },
      [](Tensor x) { x.copy_(x * 2); },
      [](Tensor x) { x.add_(1); },
      [](Tensor x) { x += 1; },
      [](Tensor x) { x.mul_(2); },
      [](Tensor x) { x *= 2; },
      [](Tensor x) { x.clamp_(0); },
      [](Tensor x) { x.masked_fill_(x.gt(1), 0); },
      [](Tensor x) { nn::ReLU(true)(x); },
      [](Tensor x) { x.data()[0] = 7, x.increment_version(); },
  };
  for (const auto& write : ways) {
    const Tensor w = leaf("w"), x = operand("x"), y = w * x;
    write(x);
    CHECK_THROWS_AS(y.backward(ones_like(y)), TapeError);
  }
}

TEST_CASE("A gradient that grows is written over too") {
  const Tensor w = leaf("w");
  sum(w).backward();
  const Tensor penalty = sum(w * w.grad());
  sum(w).backward();
  CHECK(message<TapeError>([&] {
          penalty.backward();
        }).ends_with("[2, 2] at version 0, and an in-place op has changed it to version 1"));
}

TEST_CASE("A leaf that requires a gradient is changed in place under NoGrad only") {
  const Tensor w = leaf("w");
  const auto says = [](const char* op) {
    return std::string(op) +
           ": [2, 2] is a leaf that requires a gradient and may be changed in "
           "place only under NoGrad";
  };
  CHECK(message<TapeError>([&] { w.add_(1); }) == says("add_"));
  CHECK(message<TapeError>([&] { w.mul_(2); }) == says("mul_"));
  CHECK(message<TapeError>([&] { w.clamp_(0); }) == says("clamp_"));
  CHECK(message<TapeError>([&] { w.masked_fill_(w.gt(1), 0); }) == says("masked_fill_"));
  CHECK(w.to_vector() == Values{1, 2, 3, 4});
  const NoGrad no_grad;
  CHECK(w.add_(1).to_vector() == Values{2, 3, 4, 5});
  CHECK(w.is_leaf());
}

TEST_CASE("In place on a tensor that shares its data with another one on the tape is refused") {
  const Tensor w = leaf("w"), base = w * 2, view = base.reshape({4});
  const std::string says =
      " shares its data with another tensor, whose history would be wrong: clone() it "
      "first";
  CHECK(message<TapeError>([&] { view.add_(1); }) == "add_: [4]" + says);
  CHECK(message<TapeError>([&] { base.mul_(2); }) == "mul_: [2, 2]" + says);
  CHECK(message<TapeError>([&] { base.detach().add_(w); }) == "add_: [2, 2]" + says);
  CHECK(message<TapeError>([&] { w.reshape({4}).clamp_(0); }) == "clamp_: [4]" + says);
  CHECK(base.to_vector() == Values{2, 4, 6, 8});
  CHECK(view.clone().add_(1).to_vector() == Values{3, 5, 7, 9});
}

TEST_CASE("In place is allowed again when the other tensor is gone") {
  const Tensor w = leaf("w"), base = w * 2;
  Tensor view = base.reshape({4}), downstream = view * 1;
  view = {};
  base.add_(1);
  CHECK(base.to_vector() == Values{3, 5, 7, 9});
  sum(base).backward();
  CHECK(w.grad().to_vector() == Values{2, 2, 2, 2});
}

TEST_CASE("A result that does not fit in place is refused and nothing changes") {
  const Tensor x = Tensor::of({1, 2});
  CHECK(message<ShapeError>([&] {
          x.add_(Tensor::ones({3, 2}));
        }) == "add_: the result of shape [3, 2] does not fit in place into [2]");
  CHECK(message<ShapeError>([&] {
          x.mul_(Tensor::ones({3, 1}));
        }) == "mul_: the result of shape [3, 2] does not fit in place into [2]");
  CHECK(message<ShapeError>([&] {
          x.masked_fill_(Tensor::ones({3, 1}), 0);
        }) == "masked_fill_: a mask of [3, 1] does not broadcast to [2]");
  CHECK(message<ValueError>([&] { x.clamp_(2, 1); }) == "clamp_: min 2 is not at most max 1");
  CHECK(x.to_vector() == Values{1, 2});
  CHECK(x.storage()->version == 0);
}

TEST_CASE("In-place ops are recorded: the gradient goes through them as through the others") {
  const Tensor w = leaf("w"), k = leaf("k");
  const Tensor x = w * 1;
  x.add_(k).mul_(k).clamp_(5).masked_fill_(Tensor::of({0, 1}), 7);
  CHECK(x.to_vector() == Values{5, 7, 18, 7});  // (w + k)∘k = 2 8 18 32
  sum(x).backward();
  CHECK(w.grad().to_vector() == Values{0, 0, 3, 0});      // k
  CHECK(k.grad().to_vector() == Values{0, 0, 3 + 6, 0});  // k + (w + k)
}

TEST_CASE("A tensor off the tape comes onto it when something recorded is added in place") {
  const Tensor w = leaf("w"), total = operand("total");
  total.add_(w).add_(total);
  CHECK(total.requires_grad());
  sum(total).backward();
  CHECK(w.grad().to_vector() == Values{2, 2, 2, 2});
}

TEST_CASE("A tensor multiplied in place by itself has twice its gradient") {
  const Tensor w = leaf("w"), x = w * 1;
  x.mul_(x);
  CHECK(x.to_vector() == Values{1, 4, 9, 16});
  sum(x).backward();
  CHECK(w.grad().to_vector() == Values{2, 4, 6, 8});
}

TEST_CASE("What is drawn as a mask may be changed in place, it is not on the way of a gradient") {
  const Tensor w = leaf("w"), mask = dropout_mask(w, Scalar(0.5));
  mask.fill_(3);
  mask.mul_(2);
  sum(w * mask).backward();
  CHECK(w.grad().to_vector() == Values{6, 6, 6, 6});
}

TEST_CASE("Nor has it touched the gradient of a leaf that is newer than what was written over") {
  const Tensor a = leaf("a"), b = leaf("b");
  const Tensor early = a * b;
  const Tensor newer = leaf("newer");
  const Tensor late = early + newer;
  overwrite(b);
  CHECK_THROWS_AS(late.backward(ones_like(late)), TapeError);
  CHECK_FALSE(newer.grad().defined());
}

TEST_CASE(
    "A view that was made before recording is not left behind: in place is refused there, too") {
  const Tensor w = leaf("w"), x = operand("x"), v = x.view({4});
  const std::string says =
      " shares its data with another tensor, whose history would be wrong: clone() it first";
  CHECK(message<TapeError>([&] { x.mul_(w); }) == "mul_: [2, 2]" + says);
  CHECK(message<TapeError>([&] { v.mul_(w.detach().view({4}).requires_grad_()); }) ==
        "mul_: [4]" + says);
  CHECK(message<TapeError>([&] { x.div_(w); }) == "div_: [2, 2]" + says);
  CHECK(x.to_vector() == Values{1, 2, 3, 4});
  x.mul_(2);  // not recorded: both see it
  CHECK(v.to_vector() == Values{2, 4, 6, 8});
}

TEST_CASE("Who is detached, or was saved, has no history that could be wrong") {
  const Tensor w = leaf("w"), x = operand("x"), d = x.detach(), y = w * x;
  x.mul_(w);
  CHECK(d.to_vector() == x.to_vector());
  CHECK_FALSE(d.requires_grad());
  sum(x).backward();
  CHECK(w.grad().to_vector() == Values{1, 2, 3, 4});
  CHECK_THROWS_AS(sum(y).backward(), TapeError);  // it saved x
}

TEST_CASE("retain_grad goes along with an op in place, and a hook stays with its numbers") {
  const Tensor w = leaf("w"), y = w * 1;
  Values hooked;
  y.retain_grad();
  y.register_hook([&](const Tensor& g) { return hooked = g.to_vector(), Tensor(); });
  y.mul_(3);
  y.register_hook([](const Tensor& g) { return g * 2; });
  sum(y).backward();
  CHECK(y.grad().to_vector() == Values{2, 2, 2, 2});
  CHECK(hooked == Values{6, 6, 6, 6});
  CHECK(w.grad().to_vector() == Values{6, 6, 6, 6});
}
