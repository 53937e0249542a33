#include "core/debug/rerun.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/tape/tape.hpp"

namespace stepgrad {

static Rerun* wanted() {
  static Rerun r;
  const char* text = std::getenv("STEPGRAD_RERUN");
  long long pass, op, input, element, loss;
  if (!text || std::sscanf(text, "%lld %lld %lld %lld %d %lld %d", &pass, &op, &input, &element,
                           &r.sign, &loss, &r.fd) != 7)
    return nullptr;
  r.pass = pass, r.op = op, r.input = input, r.element = element, r.loss = loss;
  return &r;
}

Rerun* const rerun = wanted();

void Rerun::at_op(const Node& node, Operands operands) {
  if (node.number != op || the_tape.passes != pass - 1) return;
  Scalar& x = operands[input]->data()[element];
  x += sign * std::max(Scalar(1), std::abs(x)) / 256;
  moved_to = double{x};
}

void Rerun::at_pass(const Tensor& y, const Tensor& dY) {
  if (the_tape.passes != pass || y.node()->number != loss) return;
  double sum = 0;
  for (int64_t i = 0; i < y.numel(); ++i) sum += double{y.data()[i]} * double{dY.data()[i]};
  dprintf(fd, "%.17g %.17g\n", moved_to, sum);
  _exit(0);
}

}  // namespace stepgrad
