#include "tests/support/test.hpp"

using namespace stepgrad;

const OpExample example_of_neg("neg", neg, "-a");
