#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace stepgrad::demo {

// Draws `picture` by a gnuplot script. Returns a text: the files written, or why there is no
// picture: gnuplot is not installed (and how to install it), or failed.
std::string draw_by_gnuplot(std::string_view script, const std::filesystem::path& picture,
                            const std::filesystem::path& numbers);

// "set terminal" for a picture by its name, .svg or .png, and "set output".
std::string gnuplot_output(const std::filesystem::path& picture, const std::string& options);

// A text as a field of a CSV file, and as a string of gnuplot's.
std::string csv_field(std::string_view text);
std::string gnuplot_string(std::string_view text);

}  // namespace stepgrad::demo
