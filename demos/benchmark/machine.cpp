#include "demos/benchmark/machine.hpp"

#include <cstdio>
#include <fstream>
#include <sstream>

namespace stepgrad::demo {
namespace {

// The text after "key" and a colon in such a file.
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

}  // namespace

std::string cpu_name() {
  const std::string name = look_up("/proc/cpuinfo", "model name");
  return name.empty() ? "unknown CPU" : name;
}

int64_t free_memory_kib() {
  const std::string kib = look_up("/proc/meminfo", "MemAvailable");
  return kib.empty() ? 0 : std::stoll(kib);
}

std::string first_line(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return "";
  std::string text;
  for (int c; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  return pclose(pipe) == 0 ? text.substr(0, text.find('\n')) : "";
}

}  // namespace stepgrad::demo
