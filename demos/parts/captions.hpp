#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

// The captions of the demos of 000 to 002 (Korean) and 003 (Chinese) in their documents' languages.
namespace stepgrad::demo {

// Adds --lang, which takes en or `own` (ko or zh); by default the environment's LC_ALL or LANG
// decides.
void add_language(CLI::App& app, const std::string& own);

// A cell's caption in the selected language.
std::string_view caption(std::string_view english);

}
