#pragma once

#include <string>
#include <string_view>

namespace stepgrad::nn {

// Whole files. FileError: cannot be read or written. A file is written beside the old one, which it
// then replaces, so that there is never half of one.
std::string read_file(const std::string& path);
void write_file(const std::string& path, std::string_view bytes);

}  // namespace stepgrad::nn
