#pragma once

#include <string>
#include <string_view>

#include "core/loc.hpp"

// A demo's own source, to show it. Where it is no longer there, or no longer the same, what the
// compiler got is shown instead.
namespace stepgrad::demo {

// The code that `tokens` are of, nearest to that line, with its comments and line breaks.
std::string as_written(std::string_view tokens, Loc loc);

// The definition of a function, a constant or a class of the demo, with the comment above it: in
// the file of `loc`, or in another of its folder or of demos/parts. Empty: it is not there.
std::string definition(std::string_view name, Loc loc);

}  // namespace stepgrad::demo
