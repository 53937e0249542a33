#include "demos/parts/terminal.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iomanip>
#include <iostream>

#include "core/text_stream.hpp"

namespace stepgrad::demo {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string in_colour(const char* sgr, std::string_view text) {
  static const bool colour = on_terminal() && environment("NO_COLOR").empty();
  if (!colour) return std::string(text);
  return "\033[" + std::string(sgr) + "m" + std::string(text) + "\033[0m";
}

std::string repeat(std::string_view text, int64_t times) {
  std::string result;
  while (times-- > 0) result += text;
  return result;
}

}

bool on_terminal() {
  static const bool terminal = isatty(STDOUT_FILENO) && environment("TERM") != "dumb";
  return terminal;
}

std::string heading(std::string_view text) { return in_colour("1", text); }
std::string code(std::string_view text) { return in_colour("36", text); }
std::string error(std::string_view text) { return in_colour("31", text); }
std::string faint(std::string_view text) { return in_colour("2", text); }

ProgressBar::ProgressBar(int64_t total) : total_(total) {}

void ProgressBar::clear() {
  if (on_terminal()) std::cout << "\r\033[K" << std::flush;
}

double ProgressBar::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

void ProgressBar::show(int64_t done, std::string_view note) {
  if (!on_terminal() || Clock::now() < next_) return;
  next_ = Clock::now() + std::chrono::milliseconds(100);
  TextStream text;
  text << std::setw(4) << 100 * done / total_ << " %  " << note << "  " << std::fixed << std::setprecision(0)
       << seconds() * (total_ - done) / done << " s left";
  const auto width = std::ssize(text.str());
  const int64_t cells = std::clamp<int64_t>(terminal_width() - width - 5, 0, 30);
  const int64_t full = cells * done / total_;
  std::cout << "\r    " << code(repeat("━", full)) << faint(repeat("─", cells - full))
            << text.str().substr(0, std::max(0, terminal_width() - 5)) << "\033[K" << std::flush;
}

}
