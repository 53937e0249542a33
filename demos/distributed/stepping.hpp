#pragma once

#include <string>
#include <vector>

namespace stepgrad::demo {

// In a rank: tells the launcher its process, and waits until a debugger has it.
void wait_for_debugger();

// What the launcher starts then: gdb on it, standing where it first adds up gradients with others.
std::vector<std::string> debugger(const std::string& process, bool has_others);

}  // namespace stepgrad::demo
