#pragma once

#include <cstdint>
#include <string>

// What the benchmark asks the system. Linux's files; where there are none, it does without.
namespace stepgrad::demo {

std::string cpu_name();
int cores();                // that this process may use
int64_t free_memory_kib();  // 0 if it cannot be known

// What a shell command prints, or the first line of it; empty if it prints nothing or fails.
std::string output_of(const std::string& command);
std::string first_line(const std::string& command);

// Waits until other programs leave nearly all of the machine alone, for so many seconds at most.
void wait_for_idle(double at_most);

// How much of the machine other programs take while one of these lives.
class OtherLoad {
 public:
  OtherLoad();
  double share() const;  // in [0, 1]; that of programs which this one started does not count

 private:
  double busy_, own_, start_;  // seconds
};

}  // namespace stepgrad::demo
