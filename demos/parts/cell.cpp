#include "demos/parts/cell.hpp"

#include <algorithm>
#include <iomanip>
#include <set>
#include <vector>

#include "core/text_stream.hpp"
#include "core/utf8.hpp"
#include "demos/parts/captions.hpp"
#include "demos/parts/own_source.hpp"
#include "demos/parts/terminal.hpp"

namespace stepgrad::demo {

// Wraps a line too wide for the terminal, indented, at a blank if possible. Each character counts
// as one column.
static std::vector<std::string> broken(std::string_view line) {
  const size_t room = on_terminal() ? std::max(terminal_width(), 24) - 4 : line.size();
  std::vector<std::string> rows;
  std::string rest(line);
  while (count_characters(rest) > room) {
    size_t end = 0;
    for (size_t seen = 0; seen <= room; ++end) seen += begins_character(rest[end]);
    const size_t blank = rest.rfind(' ', --end);
    if (blank != rest.npos && rest.find_first_not_of(' ') < blank) end = blank;
    rows.push_back(rest.substr(0, end));
    rest = "    " + rest.substr(std::min(rest.find_first_not_of(' ', end), rest.size()));
  }
  rows.push_back(rest);
  return rows;
}

void cell(std::string_view label, std::string_view purpose) {
  TextStream line;
  line << std::left << std::setw(10) << label << caption(purpose);
  std::cout << '\n';
  for (const std::string& row : broken(line.str())) std::cout << heading(row) << '\n';
}

static void show_lines(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  for (bool first = true; std::getline(lines, line); first = false) {
    const std::vector<std::string> rows = broken(line);
    std::cout << (first ? "" : "\n") << faint("  > ") << code(rows[0]);
    for (size_t i = 1; i < rows.size(); ++i) std::cout << "\n    " << code(rows[i]);
  }
}

void show_code(std::string_view tokens, std::string_view comment, std::string_view end, Loc loc) {
  show_lines(as_written(tokens, loc) + std::string(end));
  const bool below = on_terminal() && terminal_width() < 80;
  if (!comment.empty() && !below) std::cout << faint("   // ") << faint(comment);
  std::cout << '\n';
  if (!comment.empty() && below)
    for (const std::string& row : broken("// " + std::string(comment)))
      std::cout << "    " << faint(row) << '\n';
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
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    for (const std::string& row : broken(text.substr(0, end)))
      std::cout << (end ? "    " : "") << row << '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void show_words(std::string_view text) {
  const size_t width = std::clamp(terminal_width(), 24, 100) - 4;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string row, word;
    while (words >> word) {
      if (!row.empty() && count_characters(row) + 1 + count_characters(word) > width) {
        show_text(row);
        row = "";
      }
      row += (row.empty() ? "" : " ") + word;
    }
    show_text(row + '\n');
  }
}

// A long line's last column goes below it.
void show(const std::string& table) {
  const size_t width = std::max(terminal_width(), 60) - 4;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    const size_t last = count_characters(line) > width ? line.rfind("  ") : line.npos;
    show_text(line.substr(0, line.find_last_not_of(' ', last) + 1) + '\n');
    if (last != line.npos) show_text("        " + line.substr(last + 2) + '\n');
  }
}

void show_error(std::string_view message) { show_text(error(message)); }

std::string fixed(double number, int digits) {
  TextStream text;
  text << std::fixed << std::setprecision(digits) << number;
  return text.str();
}

}  // namespace stepgrad::demo
