#pragma once

#include "demos/parts/text.hpp"

namespace stepgrad::demo {

// Two models learn `text`: one sees the last character, one the last `context`. Prints their
// held-out loss beside that of counting alone; the second one writes a sample.
void learn(const Text& text, std::string_view name, int64_t context, int64_t steps);

}
