#include "core/debug/rerun.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/check.hpp"
#include "core/tape/pass.hpp"

namespace stepgrad {

void rerun_from_environment() {
  static Rerun run;
  const char* text = std::getenv("STEPGRAD_RERUN");
  long long pass, op, input, element, loss;
  if (!text || std::sscanf(text, "%lld %lld %lld %lld %d %lld %d", &pass, &op, &input, &element,
                           &run.sign, &loss, &run.fd) != 7)
    return;
  run.pass = pass, run.op = op, run.input = input, run.element = element, run.loss = loss;
  run.observe(true);
}

void Rerun::op_begins(Node& node, Operands operands) {
  if (node.number != op || the_tape.passes != pass - 1) return;
  check<ValueError>(0 <= input && input < static_cast<int64_t>(operands.size()) && 0 <= element &&
                        element < operands[input]->numel(),
                    "STEPGRAD_RERUN: op #", op, " has no element ", element, " of an input ",
                    input);
  Scalar& x = operands[input]->data()[element];
  x += sign * std::max(Scalar(1), std::abs(x)) / 256;
  moved_to = double{x};
}

void Rerun::pass_begins(Pass& begun) {
  const Tensor& y = begun.root();
  const Tensor& dY = y.node()->pass.arrived;
  if (the_tape.passes != pass || y.node()->number != loss) return;
  double sum = 0;
  for (int64_t i = 0; i < y.numel(); ++i) sum += double{y.data()[i]} * double{dY.data()[i]};
  char line[80];
  const int length = std::snprintf(line, sizeof line, "%.17g %.17g\n", moved_to, sum);
  _exit(write(fd, line, static_cast<unsigned>(length)) == length ? 0 : 1);
}

}  // namespace stepgrad
