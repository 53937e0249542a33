#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stepgrad {

std::string base64(std::string_view bytes);
std::string from_base64(std::string_view text);  // ValueError: not base64

// Little-endian float32: unlike JSON's numbers, these may be NaN.
std::string base64(const std::vector<float>& numbers);
std::vector<float> floats_from_base64(std::string_view text);  // ValueError

}
