#include "demos/parts/own_source.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
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

// Code without white space and comments, and the position of each of its characters.
struct Bare {
  std::string code;
  std::vector<size_t> at;

  explicit Bare(std::string_view text) {
    for (size_t i = 0; i < text.size(); ++i) {
      if (text.substr(i, 2) == "//") {
        i = std::min(text.find('\n', i), text.size() - 1);
      } else if (text.substr(i, 2) == "/*") {
        i = std::min(text.find("*/", i + 2), text.size() - 2) + 1;
      } else if (text[i] == '"') {
        const size_t begin = i++;
        while (i < text.size() && text[i] != '"') i += text[i] == '\\' ? 2 : 1;
        for (size_t c = begin; c <= i && c < text.size(); ++c) keep(text[c], c);
      } else {
        keep(text[i], i);
      }
    }
  }
  void keep(char c, size_t i) {
    if (std::isspace(static_cast<unsigned char>(c))) return;
    code += c;
    at.push_back(i);
  }
};

// `code` that began in this column, with its other lines moved left by up to as much.
std::string shifted_left(std::string_view code, size_t column) {
  std::istringstream in{std::string(code)};
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  for (size_t i = 1; i < lines.size(); ++i) {
    if (!lines[i].empty()) column = std::min(column, lines[i].find_first_not_of(' '));
  }
  std::string result = lines[0];
  for (size_t i = 1; i < lines.size(); ++i) {
    result += '\n' + (lines[i].empty() ? "" : lines[i].substr(column));
  }
  return result;
}

int depth_behind(std::string_view line) {
  return static_cast<int>(std::count(line.begin(), line.end(), '{') -
                          std::count(line.begin(), line.end(), '}'));
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
    while (begin > 0 &&
           (lines[begin - 1].starts_with("//") || lines[begin - 1].starts_with("template")))
      --begin;
    std::string above;
    for (size_t j = begin; j < i; ++j) above += lines[j] + '\n';
    if (const std::string found = whole_definition(lines, i); !found.empty()) return above + found;
  }
  return "";
}

}

std::string as_written(std::string_view tokens, Loc loc) {
  const std::string text = text_of(place_of(loc));
  const Bare file(text), sought(tokens);
  std::string_view best = tokens;
  size_t column = 0, least = text.size();
  for (size_t found = file.code.find(sought.code); found != file.code.npos;
       found = file.code.find(sought.code, found + 1)) {
    const size_t begin = file.at[found], last = file.at[found + sought.code.size() - 1];
    const auto line = std::count(text.begin(), text.begin() + static_cast<int64_t>(begin), '\n');
    const auto apart = static_cast<size_t>(std::abs(static_cast<int>(line) + 1 - loc.line));
    if (apart >= least) continue;
    least = apart;
    best = std::string_view(text).substr(begin, last + 1 - begin);
    column = begin - (text.rfind('\n', begin) + 1);
  }
  return shifted_left(best, column);
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
