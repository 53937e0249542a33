#pragma once

#include "demos/parts/text.hpp"

namespace stepgrad::demo {

// Two models learn `text`: one sees the last character, one the last `context`. Each is measured on
// the held-out part beside what counting alone achieves there, and the second writes a sample.
void learn(const Text& text, std::string_view name, int64_t context, int64_t steps);

}  // namespace stepgrad::demo
