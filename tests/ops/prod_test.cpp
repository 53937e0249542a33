#include "tests/support/test.hpp"

const OpExample of_prod(
    "prod", [](Tensor x) { return prod(x, 1); }, "a.prod(1)", Shapes{{2, 3}});
