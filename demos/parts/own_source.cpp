#include "demos/parts/own_source.hpp"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>
#include <vector>

#include "core/files.hpp"
#include "core/path.hpp"

namespace stepgrad::demo {
namespace {

std::filesystem::path place_of(Loc loc) { return path_of(STEPGRAD_TREE) / loc.file; }

std::string text_of(const std::filesystem::path& path) {
  return std::filesystem::is_regular_file(path) ? read_file(name_of(path)) : "";
}

int depth_behind(std::string_view line) {
  return int(std::count(line.begin(), line.end(), '{') - std::count(line.begin(), line.end(), '}'));
}

// The lines from `begin` to the closing brace. Empty: only a declaration.
std::string whole_definition(const std::vector<std::string>& lines, size_t begin) {
  std::string text;
  int depth = 0;
  for (size_t i = begin; i < lines.size(); ++i) {
    const std::string_view code = std::string_view(lines[i]).substr(0, lines[i].find("  //"));
    text += (text.empty() ? "" : "\n") + lines[i];
    depth += depth_behind(code);
    if (depth == 0 && code.ends_with(");")) return "";
    if (depth == 0 && (code.ends_with(';') || code.ends_with('}'))) break;
  }
  return text;
}

std::string definition_in(const std::string& text, std::string_view name) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  const std::regex named("[A-Za-z].*[ &*:]" + std::string(name) + R"(( = | [:{]|\().*)");
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!std::regex_match(lines[i], named)) continue;
    size_t begin = i;
    while (begin > 0 && (lines[begin - 1].starts_with("//") || lines[begin - 1].starts_with("template"))) --begin;
    std::string above;
    for (size_t j = begin; j < i; ++j) above += lines[j] + '\n';
    if (const std::string found = whole_definition(lines, i); !found.empty()) return above + found;
  }
  return "";
}

}

std::string definition(std::string_view name, Loc loc) {
  const std::filesystem::path own = place_of(loc);
  std::vector files{own};
  for (const auto& folder : {own.parent_path(), place_of({"demos/parts"})}) {
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
      const auto extension = entry.path().extension();
      if (extension == ".hpp" || extension == ".cpp") files.push_back(entry.path());
    }
  }
  std::sort(files.begin() + 1, files.end());
  for (const auto& file : files) {
    if (std::string found = definition_in(text_of(file), name); !found.empty()) return found;
  }
  return "";
}

}
