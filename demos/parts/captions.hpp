#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

// The demos of 000 to 002 have captions in Korean, too, those of 000 and 003 in Chinese.
namespace stepgrad::demo {

// Adds --lang, which takes en or one of `languages` (ko, zh); by default the environment's LC_ALL
// or LANG decides.
void add_language(CLI::App& app, std::vector<std::string> languages);

// The text in the selected language: in English, then in those of add_language().
std::string_view caption(std::initializer_list<std::string_view> texts);

}
