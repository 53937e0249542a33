// The messages of a backward pass about overwritten saved tensors.
#include "nn/relu.hpp"
#include "tests/support/parameter.hpp"
#include "tests/support/test.hpp"

using namespace stepgrad;

namespace {

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

TEST_CASE("Overwriting a saved tensor makes backward throw, overwriting others does not") {
  for (const Case& c : cases) {
    INFO(c.op << " of which " << c.written << " is written over");
    if (!c.letter) {
      const Tensor touched = grad_of_a(c, true), untouched = grad_of_a(c, false);
      REQUIRE(touched.defined() == untouched.defined());
      if (touched.defined()) CHECK(touched.to_vector() == untouched.to_vector());
      continue;
    }
    const std::string says = message<TapeError>([&] { grad_of_a(c, true); });
    CHECK(says.starts_with("backward: " + std::string(c.op) + " at overwritten_test.cpp:"));
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
    return "backward: " + std::string(op) + " at overwritten_test.cpp:" + std::to_string(line) +
           " saved " + letter +
           " 'rows' [2] at version 0, and an in-place op has changed it to version 1";
  };
  CHECK_ERROR(TapeError, sum(found).backward(), says("embedding", "ids"));
  CHECK_ERROR(TapeError, loss.backward(), says("cross_entropy", "T"));
}

TEST_CASE("A pass that finds an overwritten saved tensor has changed no gradient") {
  const Tensor a = leaf("a"), b = leaf("b");
  const Tensor early = a * b, late = early + a;
  overwrite(b);
  CHECK_THROWS_AS(late.backward(ones_like(late)), TapeError);
  CHECK_FALSE(a.grad().defined());
  CHECK_FALSE(b.grad().defined());
  (a + 1).backward(ones_like(a));
  CHECK(a.grad().to_vector() == Values{1, 1, 1, 1});
}

TEST_CASE("It has not changed the gradient of a leaf newer than the overwritten tensor") {
  const Tensor a = leaf("a"), b = leaf("b");
  const Tensor early = a * b;
  const Tensor newer = leaf("newer");
  const Tensor late = early + newer;
  overwrite(b);
  CHECK_THROWS_AS(late.backward(ones_like(late)), TapeError);
  CHECK_FALSE(newer.grad().defined());
}

TEST_CASE(
    "Views share their version: a write through one is noticed by a node that saved another") {
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

TEST_CASE("Blocks that share a version start at the first one's") {
  const Tensor a = leaf("a"), b = operand("b");
  b.fill_(2), b.fill_(3);
  const Tensor y = a * b, view = b.clone(), another = b.clone();
  view.storage()->count_versions_with(*b.storage());
  another.storage()->count_versions_with(*view.storage());
  CHECK(another.storage()->version() == 2);
  y.backward(ones_like(y), true);
  another.fill_(1);
  CHECK_THROWS_AS(y.backward(ones_like(y)), TapeError);
  CHECK(b.storage()->version() == 3);
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

TEST_CASE("Adding to a gradient counts as a write") {
  const Tensor w = leaf("w");
  sum(w).backward();
  const Tensor penalty = sum(w * w.grad());
  sum(w).backward();
  CHECK(message<TapeError>([&] {
          penalty.backward();
        }).ends_with("[2, 2] at version 0, and an in-place op has changed it to version 1"));
}
