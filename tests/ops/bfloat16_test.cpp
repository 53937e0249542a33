// Rounding to a narrower format. tests/core/autocast_test.cpp has the values.
#include "tests/support/test.hpp"

using namespace stepgrad;

// A staircase has no slope, but the difference of two such has one.
const OpExample example_of_bfloat16("bfloat16",
                                    [](Tensor x) { return x + (bfloat16(x) - bfloat16(x)); },
                                    "a + (a.bfloat16().float() - a.bfloat16().float())",
                                    {-1, 0, 1});
const OpExample example_of_half("half", [](Tensor x) { return x + (half(x) - half(x)); },
                                "a + (a.half().float() - a.half().float())", {-1, 0, 1});
