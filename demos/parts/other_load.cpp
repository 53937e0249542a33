#include "demos/parts/other_load.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <thread>

namespace stepgrad::demo {
namespace {

double now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

// Seconds of work by all cores since the machine's start.
double busy_seconds() {
  std::ifstream in("/proc/stat");
  std::string cpu;
  double user = 0, nice = 0, system = 0;
  in >> cpu >> user >> nice >> system;
  return (user + nice + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double seconds_of(int who) {
  rusage usage{};
  getrusage(who, &usage);
  const auto seconds = [](timeval t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double own_seconds() { return seconds_of(RUSAGE_SELF) + seconds_of(RUSAGE_CHILDREN); }

}  // namespace

int cores() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

OtherLoad::OtherLoad() : busy_(busy_seconds()), own_(own_seconds()), start_(now()) {}

double OtherLoad::share() const {
  const double others = (busy_seconds() - busy_) - (own_seconds() - own_);
  return std::clamp(others / (cores() * (now() - start_)), 0., 1.);
}

std::string OtherLoad::note() const {
  constexpr double noticeable = 0.1;
  if (share() < noticeable) return "";
  return "Other programs took " + std::to_string(std::lround(100 * share())) +
         " % of the machine meanwhile: the times above are longer than they would be without.";
}

}  // namespace stepgrad::demo
