#include "demos/parts/cell.hpp"

#include <algorithm>
#include <iomanip>
#include <set>
#include <vector>

#include "core/tensor/print.hpp"
#include "core/text_stream.hpp"
#include "core/utf8.hpp"
#include "demos/parts/captions.hpp"
#include "demos/parts/own_source.hpp"
#include "demos/parts/terminal.hpp"

namespace stepgrad::demo {

// The columns of the character that begins at text[i]: Hangul, Chinese characters and emoji have
// two.
static size_t columns_at(std::string_view text, size_t i) {
  const auto byte = [&](size_t at) { return at < text.size() ? text[at] & 0xff : 0; };
  const int first = byte(i);
  return begins_character(text[i]) +
         ((0xe3 <= first && first <= 0xed) || (first == 0xf0 && byte(i + 1) == 0x9f));
}
static size_t columns(std::string_view text) {
  size_t sum = 0;
  for (size_t i = 0; i < text.size(); ++i) sum += columns_at(text, i);
  return sum;
}

// Wraps a line too wide for the terminal, indented, at a blank if possible.
static std::vector<std::string> broken(std::string_view line) {
  const size_t room = on_terminal() ? std::max(terminal_width(), 24) - 4 : line.size();
  std::vector<std::string> rows;
  std::string rest(line);
  while (columns(rest) > room) {
    size_t end = 0;
    for (size_t seen = 0; seen <= room; ++end) seen += columns_at(rest, end);
    const size_t blank = rest.rfind(' ', --end);
    if (blank != rest.npos && rest.find_first_not_of(' ') < blank) end = blank;
    rows.push_back(rest.substr(0, end));
    rest = "    " + rest.substr(std::min(rest.find_first_not_of(' ', end), rest.size()));
  }
  rows.push_back(rest);
  return rows;
}

void cell(std::string_view label, std::string_view purpose) {
  if (on_terminal()) printing.linewidth = std::max(terminal_width(), 60) - 4;
  TextStream line;
  line << std::left << std::setw(10) << label << caption(purpose);
  std::cout << '\n';
  for (const std::string& row : broken(line.str())) std::cout << heading(row) << '\n';
}

static void show_lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    const size_t begin = line.find_first_not_of(' '), behind = line.find("  // ");
    if (behind != line.npos && begin < behind && broken(line).size() > 1) {
      lines.push_back(line.substr(0, begin) + line.substr(behind + 2));  // above its code
      line.resize(line.find_last_not_of(' ', behind) + 1);
    }
    lines.push_back(line);
  }
  for (size_t k = 0; k < lines.size(); ++k) {
    const std::vector<std::string> rows = broken(lines[k]);
    std::cout << (k ? "\n" : "") << faint("  > ") << code(rows[0]);
    for (size_t i = 1; i < rows.size(); ++i) std::cout << "\n    " << code(rows[i]);
  }
}

void show_code(std::string_view tokens, std::string_view comment, std::string_view end, Loc loc) {
  const std::string text = as_written(tokens, loc) + std::string(end);
  show_lines(text);
  const size_t width = terminal_width();
  const size_t both = columns(text.substr(text.rfind('\n') + 1)) + columns(comment);
  const bool below = on_terminal() && both + 10 > width;
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
      if (!row.empty() && columns(row) + 1 + columns(word) > width) {
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
    const size_t last = columns(line) > width ? line.rfind("  ") : line.npos;
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

}
