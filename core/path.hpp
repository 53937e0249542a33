#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace stepgrad {

// Names of files are UTF-8 on every system. A std::filesystem::path made of a std::string, or
// turned into one, takes Windows' code page instead.
inline std::filesystem::path path_of(std::string_view name) { return std::u8string(name.begin(), name.end()); }
inline std::string name_of(const std::filesystem::path& path) {
  const std::u8string name = path.u8string();
  return {name.begin(), name.end()};
}

}
