#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <sstream>

#include "nn/relu.hpp"
#include "ops/ops.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"

using namespace stepgrad;

namespace {

std::string print(const Tensor& x) {
  std::ostringstream text;
  text << x;
  return text.str();
}

// "1 2.5 3", or "0:0.5" for 0, 0.5, 1, ...
Tensor numbers(const std::string& line, const Shape& shape) {
  const Tensor x = Tensor::empty(shape);
  std::istringstream text(line);
  const size_t colon = line.find(':');
  const bool steps = colon != std::string::npos;
  const double first = steps ? std::stod(line) : 0,
               step = steps ? std::stod(line.substr(colon + 1)) : 0;
  std::string number;
  for (int64_t i = 0; i < x.numel(); ++i) {
    x.data()[i] = static_cast<Scalar>(steps ? first + static_cast<double>(i) * step
                                            : std::stod((text >> number, number)));
  }
  return x;
}

Tensor on_tape(const Tensor& x, const std::string& how) {
  static const std::map<std::string, std::function<Tensor(Tensor)>> ops{
      {"leaf", [](Tensor x) { return x; }},
      {"add", [](Tensor x) { return x + 0; }},
      {"mul", [](Tensor x) { return x * 1; }},
      {"clamp", [](Tensor x) { return clamp(x, -infinity); }},
      {"log_softmax", [](Tensor x) { return log_softmax(x); }},
  };
  return how == "plain" ? x : ops.at(how)(x.requires_grad_());
}

}  // namespace

TEST_CASE("Tensors print as PyTorch prints them") {
  std::ifstream file("tests/golden/printing.txt");
  REQUIRE(file);
  int cases = 0;
  for (std::string header, data; std::getline(file, header) && std::getline(file, data); ++cases) {
    std::string expected;
    for (std::string line; std::getline(file, line) && line != "---";) {
      expected += (expected.empty() ? "" : "\n") + line;
    }
    const std::string how = header.substr(header.rfind(' ') + 1);
    INFO(header << '\n' << data);
    CHECK(print(on_tape(numbers(data, shape_in(header)), how)) == expected);
  }
  CHECK(cases > 250);
}

TEST_CASE("A NaN prints without its sign, which the hardware chooses") {
  const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
  CHECK(print(Tensor::of({std::copysign(nan, Scalar(-1)), std::copysign(nan, Scalar(1))})) ==
        "tensor([nan, nan])");
}

TEST_CASE("The tensors of the notebook print as they do there") {
  const Tensor x = Tensor::of({0, 2, 5, 2, 3, -12});
  CHECK(print(x.clamp(0)) == "tensor([0, 2, 5, 2, 3, 0])");
  CHECK(print(clamp(x, 0)) == "tensor([0, 2, 5, 2, 3, 0])");
}

TEST_CASE("The gradient node prints under the name of its op, in place or not") {
  const Tensor w = Tensor::of({1, 2}).requires_grad_();
  CHECK(print(dropout_mask(w, 1)) == "tensor([1, 1])");
  CHECK(print(sum(w)) == "tensor(3, grad_fn=<SumBackward>)");
  CHECK(print(log_softmax(w * 0)) == "tensor([-0.6931, -0.6931], grad_fn=<LogSoftmaxBackward>)");
  CHECK(print((w * 1).clamp_(0)) == "tensor([1, 2], grad_fn=<ClampBackward>)");
  CHECK(print(nn::ReLU()(w)) == "tensor([1, 2], grad_fn=<ClampBackward>)");
  CHECK(print(w.detach()) == "tensor([1, 2])");
}

TEST_CASE("Numbers a thousand times apart still print as decimals, and more as powers of ten") {
  const auto printed = [](const Tensor& x) {
    std::ostringstream out;
    out << x;
    return out.str();
  };
  CHECK(printed(Tensor::of({1.5, 1500})) == "tensor([   1.5000, 1500.0000])");
  CHECK(printed(Tensor::of({1.5, 1501})) == "tensor([1.5000e+00, 1.5010e+03])");
}
