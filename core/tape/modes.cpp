#include "core/tape/modes.hpp"

#include <string>
#include <string_view>

#include "core/check.hpp"
#include "core/kernels/threads.hpp"

namespace stepgrad {

constinit thread_local Modes modes;

void set_num_threads(int threads, Loc loc) {
  check_at<ValueError>(loc, threads > 0, "set_num_threads: ", threads, " threads, expected at least one");
  kernels::set_num_threads(threads);
}

// Compares with the path of the sources, as given to the compiler, and of headers.
bool is_in(const char* room, const char* source, std::string_view header) {
  const std::string_view file = source ? source : "", here = __FILE__;
  const auto is_below = [&](std::string_view tree) {
    return file.starts_with(tree) && file.substr(tree.size()).starts_with(room);
  };
  constexpr size_t inside = sizeof("core/tape/modes.cpp") - 1;
  return is_below(here.substr(0, here.size() - inside)) || is_below(header.substr(0, header.size() - inside)) ||
      file.find(std::string("/stepgrad/") + room) != file.npos;
}

}
