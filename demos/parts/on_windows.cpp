// Instead of on_posix.cpp and other_load.cpp: a width for any terminal, no pictures beside the
// numbers, and no measure of other programs.
#include <algorithm>
#include <thread>

#include "demos/parts/other_load.hpp"
#include "demos/parts/picture.hpp"
#include "demos/parts/terminal.hpp"

namespace stepgrad::demo {

int terminal_width() { return 80; }
bool gnuplot(std::string_view) { return false; }

int cores() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }
OtherLoad::OtherLoad() : busy_(0), own_(0), start_(0) {}
double OtherLoad::share() const { return 0; }
std::string OtherLoad::note() const { return ""; }

}  // namespace stepgrad::demo
