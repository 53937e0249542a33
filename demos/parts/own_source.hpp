#pragma once

#include <string>
#include <string_view>

#include "core/loc.hpp"

// A demo's own source, to be shown.
namespace stepgrad::demo {

// The definition of a function, constant or class of the demo, with its comment: in `loc`'s file,
// or another of its folder or of demos/parts. Empty: not found.
std::string definition(std::string_view name, Loc loc);

}
