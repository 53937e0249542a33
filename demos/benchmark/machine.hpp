#pragma once

#include <cstdint>
#include <string>

#include "demos/parts/other_load.hpp"

// What the benchmark asks the system. Linux's files; where there are none, it does without.
namespace stepgrad::demo {

std::string cpu_name();
int64_t free_memory_kib();  // 0 if it cannot be known

// What a shell command prints, or the first line of it; empty if it prints nothing or fails.
std::string output_of(const std::string& command);
std::string first_line(const std::string& command);

}  // namespace stepgrad::demo
