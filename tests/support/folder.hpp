#pragma once

#include <random>
#include <set>
#include <string>

#include "core/path.hpp"

namespace stepgrad {

// A test's own folder, removed at its end.
struct Folder {
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file(const char* name) const { return name_of(path / path_of(name)); }
  std::string names() const {  // of what is in it, in order
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(path)) found.insert(name_of(entry.path().filename()));
    std::string all;
    for (const std::string& name : found) all += name + ' ';
    return all;
  }
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("stepgrad_" + std::to_string(std::random_device()()));
};

// The program is in that folder until the end of the test.
struct Inside {
  explicit Inside(const std::filesystem::path& folder) { std::filesystem::current_path(folder); }
  explicit Inside(const Folder& folder) : Inside(folder.path) {}
  ~Inside() { std::filesystem::current_path(before); }
  Inside(const Inside&) = delete;
  const std::filesystem::path before = std::filesystem::current_path();
};

}
