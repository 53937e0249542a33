#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace stepgrad::demo {

// The main() of a demo: parses its options, then returns run(), or 0 after --help. What is wrong
// with the options, what run() throws, and output that cannot be written become one sentence on
// stderr, and the exit code 2. The app's name is how it is called: demos/run NAME.
int main_of(CLI::App& app, int argc, char** argv, const std::function<int()>& run);

}  // namespace stepgrad::demo
