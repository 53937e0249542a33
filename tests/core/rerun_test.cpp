#include <sys/wait.h>
#include <unistd.h>

#include "core/debug/rerun.hpp"
#include "core/tape/pass.hpp"
#include "tests/support/test.hpp"

using namespace stepgrad;

TEST_CASE(
    "A debugger's second run moves an element, and ends with the loss where its pass begins") {
  const Tensor x = parameter({1, -4}), y = x * 3, dY = Tensor::of({10, 100});
  const Tensor* const operands[] = {&x};
  const int64_t op = y.node()->number;
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    Rerun run;
    run.pass = the_tape.passes + 2, run.op = run.loss = op, run.element = 1, run.sign = -1;
    run.fd = ends[1];
    run.observe(true);
    y.backward(dY, true);  // another pass: it goes on
    run.op_begins(*y.node(), operands);
    for (const auto& [input, element] : {std::pair{0, 2}, {0, -1}, {1, 0}, {-1, 0}}) {
      Rerun wrong;
      wrong.pass = run.pass, wrong.op = op, wrong.input = input, wrong.element = element;
      if (message<ValueError>([&] { wrong.op_begins(*y.node(), operands); }).empty()) _exit(2);
    }
    ++the_tape.passes;
    run.op_begins(*y.node(), operands);  // too late to move anything
    --the_tape.passes;
    y.backward(dY);
    _exit(1);
  }
  close(ends[1]);
  char said[100] = {};
  const ssize_t length = read(ends[0], said, sizeof said - 1);
  close(ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  REQUIRE(length > 0);
  CHECK(std::string(said) == "-4.015625 -1170\n");  // -4 - 4/256, and 3·10 - 12·100
}
