#include "tests/support/test.hpp"

using namespace stepgrad;

const OpExample example_of_log_softmax(
    "log_softmax", [](Tensor x) { return log_softmax(x); }, "F.log_softmax(a, -1)", Shapes{{2, 3}});
