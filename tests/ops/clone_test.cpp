#include "tests/support/test.hpp"

const OpExample of_clone(
    "clone", [](Tensor x) { return clone(x); }, "a.clone()", Shapes{{2, 3}});
