#pragma once

// What the tests of tensors, ops and modules are written with.

#include "ops/ops.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/gradcheck.hpp"
#include "tests/support/shapes.hpp"
