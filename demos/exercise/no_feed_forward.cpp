// Exercise: 001, 실습 3: a block with and without its feed-forward
// Hint: x = norm1(x + attention(x)) is all that is left without it; with it, the same once more: x
// = norm2(x + ffn(x)).
#include "demos/exercise/check.hpp"

namespace no_feed_forward {

// x: [n, d]. attend, ffn, norm1, norm2: functions from [n, d] to [n, d]; ffn may be empty (null)
using Part = std::function<Tensor(Tensor)>;
Tensor block(Tensor x, const Part& attend, const Part& ffn, const Part& norm1, const Part& norm2) {
  //> add and normalise, once or twice
  x = norm1(x + attend(x));
  return ffn ? norm2(x + ffn(x)) : x;
  //< return x;
}

EXERCISE(no_feed_forward) {
  const Tensor x = Tensor::randn({3, 4});
  const auto twice = [](Tensor t) { return t * 2; };
  const auto square = [](Tensor t) { return t * t; };
  const auto half = [](Tensor t) { return t / 2; };
  const auto minus = [](Tensor t) { return -t; };
  check_values("without a feed-forward", block(x, twice, nullptr, half, minus), x * 1.5);
  check_values("with one", block(x, twice, square, half, minus), -(x * 1.5 + x * x * 2.25));
}

}  // namespace no_feed_forward
