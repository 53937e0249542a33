#include "tests/support/test.hpp"

const OpExample of_softmax(
    "softmax", [](Tensor x) { return softmax(x); }, "F.softmax(a, -1)", Shapes{{2, 3}});
const OpExample of_log_softmax(
    "log_softmax", [](Tensor x) { return log_softmax(x); }, "F.log_softmax(a, -1)", Shapes{{2, 3}});
