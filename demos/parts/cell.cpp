#include "demos/parts/cell.hpp"

#include <algorithm>
#include <iomanip>

#include "demos/parts/terminal.hpp"

namespace stepgrad::demo {

void cell(std::string_view label, std::string_view purpose) {
  std::ostringstream line;
  line << std::left << std::setw(10) << label << purpose;
  std::cout << '\n' << heading(line.str()) << '\n';
}

void show_code(std::string_view line, std::string_view comment) {
  std::cout << faint("  > ") << code(line);
  if (!comment.empty()) std::cout << faint("   // ") << faint(comment);
  std::cout << '\n';
}

void show_text(std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::cout << (end ? "    " : "") << text.substr(0, end) << '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void show_error(std::string_view message) { show_text(error(message)); }

std::string fixed(double number, int digits) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(digits) << number;
  return text.str();
}

}  // namespace stepgrad::demo
