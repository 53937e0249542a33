#include "demos/benchmark/machine.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <thread>

namespace stepgrad::demo {
namespace {

// What follows "key" and a colon in a file of such lines.
std::string look_up(const char* file, const std::string& key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(key)) {
      const size_t value = line.find_first_not_of(" \t:", key.size());
      return value == line.npos ? "" : line.substr(value);
    }
  }
  return "";
}

double now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

// Seconds that all cores together have worked since the machine was started.
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

std::string cpu_name() {
  const std::string name = look_up("/proc/cpuinfo", "model name");
  return name.empty() ? "unknown CPU" : name;
}

int cores() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

int64_t free_memory_kib() {
  const std::string kib = look_up("/proc/meminfo", "MemAvailable");
  return kib.empty() ? 0 : std::stoll(kib);
}

std::string output_of(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return "";
  std::string text;
  for (int c; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  return pclose(pipe) == 0 ? text : "";
}

std::string first_line(const std::string& command) {
  const std::string text = output_of(command);
  return text.substr(0, text.find('\n'));
}

void wait_for_idle(double at_most) {
  constexpr double sample = 0.25, idle = 0.06;
  for (const double start = now(); now() - start < at_most;) {
    const OtherLoad load;
    std::this_thread::sleep_for(std::chrono::duration<double>(sample));
    if (load.share() < idle) return;
  }
}

OtherLoad::OtherLoad() : busy_(busy_seconds()), own_(own_seconds()), start_(now()) {}

double OtherLoad::share() const {
  const double others = (busy_seconds() - busy_) - (own_seconds() - own_);
  return std::clamp(others / (cores() * (now() - start_)), 0., 1.);
}

}  // namespace stepgrad::demo
