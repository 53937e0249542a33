#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

// The demos of 000 to 002 have captions in Korean, too, that of 003 in Chinese: their documents'
// languages.
namespace stepgrad::demo {

// Adds --lang, which takes en or `own` (ko or zh); by default the environment's LC_ALL or LANG
// decides.
void add_language(CLI::App& app, const std::string& own);

// The text in the selected language.
std::string_view caption(std::string_view english, std::string_view own);

}
