#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

// Colour and a progress bar, on a terminal only: in a pipe or a file text stays plain text.
namespace stepgrad::demo {

bool on_terminal();    // stdout is one, and not a dumb one
int terminal_width();  // of the terminal; 80 elsewhere

// The text in colour, unless stdout is no terminal or NO_COLOR is set (https://no-color.org).
std::string heading(std::string_view text);
std::string code(std::string_view text);
std::string error(std::string_view text);
std::string faint(std::string_view text);

// One line of stdout that shows how far `total` steps have come.
class ProgressBar {
 public:
  explicit ProgressBar(int64_t total);

  // `done` steps are done; `note` stands behind the bar, before the time that is left.
  void show(int64_t done, std::string_view note);
  void clear();
  double seconds() const;  // since it was made

 private:
  using Clock = std::chrono::steady_clock;
  const int64_t total_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_;  // it is drawn ten times a second
};

}
