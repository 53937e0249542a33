#pragma once

#include "demos/distributed/options.hpp"

namespace stepgrad::demo {

// ValueError, FileError: with these options no rank can start here.
void require_possible(const Options& options);

// The command that starts this program's ranks, with these arguments.
std::vector<std::string> mpirun(const Options& options, const std::vector<std::string>& arguments);

// What a person types to start it with these arguments.
std::string command_of(const std::vector<std::string>& arguments);

}  // namespace stepgrad::demo
