#pragma once

#include <cstdint>
#include <string>

#include "demos/parts/other_load.hpp"

// Facts about the system from Linux's files; elsewhere they are unknown.
namespace stepgrad::demo {

std::string cpu_name();
int64_t free_memory_kib();  // 0 if it cannot be known

// Of a shell command's output; empty if it prints nothing or fails.
std::string first_line(const std::string& command);

}  // namespace stepgrad::demo
