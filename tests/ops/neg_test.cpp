#include "tests/support/test.hpp"

const OpExample example_of_neg("neg", neg, "-a");
