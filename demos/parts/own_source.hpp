#pragma once

#include <string>
#include <string_view>

#include "core/loc.hpp"

// A demo's own source, to be shown. If it is missing or has changed, the compiled tokens are shown
// instead.
namespace stepgrad::demo {

// The source of `tokens`, nearest to that line, with comments and line breaks.
std::string as_written(std::string_view tokens, Loc loc);

// The definition of a function, constant or class of the demo, with its comment: in `loc`'s file,
// or another of its folder or of demos/parts. Empty: not found.
std::string definition(std::string_view name, Loc loc);

}
