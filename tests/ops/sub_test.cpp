#include "tests/support/test.hpp"

using namespace stepgrad;

// The rest is in arithmetic_test.cpp.
const OpExample example_of_sub("sub", sub, "a - b", Shapes{{2, 3}, {3}});
