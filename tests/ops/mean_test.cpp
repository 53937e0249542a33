#include "tests/support/test.hpp"

const OpExample of_mean(
    "mean", [](Tensor x) { return mean(x, 0); }, "a.mean(0)", Shapes{{2, 3}});
