#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace stepgrad::demo {

// A demo's main(): parses its options, then returns run(), or 0 after --help. Wrong options,
// exceptions and output that cannot be written become one sentence on stderr and exit code 2. The
// app's name is the command: demos/run NAME.
int main_of(CLI::App& app, int argc, char** argv, const std::function<int()>& run);

// What stands behind the program's name, in UTF-8.
std::vector<std::string> arguments(int argc, char** argv);

}
