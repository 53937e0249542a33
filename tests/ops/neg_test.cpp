#include "tests/support/test.hpp"

const OpExample of_neg("neg", neg, "-a");
