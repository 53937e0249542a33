#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace stepgrad::demo {

// Draws `picture` by a script of gnuplot's. Returns what there is then: the file of the numbers,
// and the picture, or why there is none: gnuplot is not installed (and how to get it), or failed.
std::string draw_by_gnuplot(std::string_view script, const std::filesystem::path& picture,
                            const std::filesystem::path& numbers);

// "set terminal" for a picture by its name, .svg or .png, and "set output".
std::string gnuplot_output(const std::filesystem::path& picture, const std::string& options);

// A text as a field of a CSV file, and as a string of gnuplot's.
std::string csv_field(std::string_view text);
std::string gnuplot_string(std::string_view text);

}  // namespace stepgrad::demo
