#include "demos/parts/cell.hpp"

#include <algorithm>
#include <iomanip>
#include <regex>
#include <set>

#include "core/text_stream.hpp"
#include "core/utf8.hpp"
#include "demos/parts/captions.hpp"
#include "demos/parts/own_source.hpp"
#include "demos/parts/terminal.hpp"

namespace stepgrad::demo {

// Of a terminal: Hangul, Chinese characters and emoji take two.
static size_t columns(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? text[i] & 0xff : 0; };
  size_t sum = 0;
  for (size_t i = 0; i < text.size(); ++i)
    sum +=
        begins_character(text[i]) + ((0xe3 <= byte(i) && byte(i) <= 0xed) || (byte(i) == 0xf0 && byte(i + 1) == 0x9f));
  return sum;
}

void cell(std::string_view label, std::string_view purpose, std::string_view own, std::string_view other) {
  TextStream line;
  line << std::left << std::setw(10) << label << caption({purpose, own, other});
  std::cout << '\n' << heading(line.str()) << '\n';
}

// The line in rows that fit the terminal behind four columns, broken behind blanks.
static std::vector<std::string> rows_of(const std::string& line) {
  const size_t width = std::clamp(terminal_width(), 24, 100) - 4;
  static const std::regex word("[^ ]+ *| +");
  std::vector<std::string> rows(1);
  for (std::sregex_iterator at(line.begin(), line.end(), word), end; at != end; ++at) {
    if (!rows.back().empty() && columns(rows.back()) + columns(at->str()) > width) rows.emplace_back();
    rows.back() += at->str();
  }
  return rows;
}

static void show_lines(const std::string& text) {
  std::istringstream lines(text);
  const char* before = "";
  for (std::string line; std::getline(lines, line);)
    for (const std::string& row : on_terminal() && line[0] != ' ' ? rows_of(line) : std::vector{line})
      std::cout << before << faint("  > ") << code(row), before = "\n";
}

void show_code(const std::string& line, std::string_view comment) {
  show_lines(line);
  if (!comment.empty()) std::cout << faint("   // ") << faint(comment);
  std::cout << '\n';
}

void show_definitions(std::initializer_list<std::string_view> names, Loc loc) {
  for (const std::string_view name : names) {
    static std::set<std::string> shown;
    const std::string text = definition(name, loc);
    if (text.empty() || !shown.insert(text).second) continue;
    show_lines(text);
    std::cout << '\n';
  }
}

void show_text(std::string_view text) {
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) std::cout << (line.empty() ? "" : "    ") << line << '\n';
}

void show_words(std::string_view text) {
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);)
    for (const std::string& row : rows_of(line)) show_text(row);
}

void show_error(std::string_view message) { show_text(error(message)); }

std::string fixed(double number, int digits) {
  TextStream text;
  text << std::fixed << std::setprecision(digits) << number;
  return text.str();
}

}
