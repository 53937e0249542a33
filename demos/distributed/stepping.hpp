#pragma once

#include <string>
#include <vector>

namespace stepgrad::demo {

// In a rank: sends its process id to the launcher, and waits until a debugger is attached.
void wait_for_debugger();

// The launcher's command: gdb on that process, stopped where it first adds gradients of others.
std::vector<std::string> debugger(const std::string& process, bool has_others);

}  // namespace stepgrad::demo
