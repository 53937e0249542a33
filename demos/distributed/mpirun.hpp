#pragma once

#include "demos/distributed/options.hpp"

namespace stepgrad::demo {

// ValueError, FileError: no rank can start here with these options.
void require_possible(const Options& options);

// The command that starts this program's ranks, with these arguments.
std::vector<std::string> mpirun(const Options& options, const std::vector<std::string>& arguments);

// The command line that a user types for these arguments.
std::string command_of(const std::vector<std::string>& arguments);

}  // namespace stepgrad::demo
