#include "core/tape/modes.hpp"

#include <string>
#include <string_view>

#include "core/check.hpp"
#include "core/kernels/threads.hpp"

namespace stepgrad {

constinit thread_local Modes modes;

void set_num_threads(int threads, Loc loc) {
  check_at<ValueError>(loc, threads > 0, "set_num_threads: ", threads,
                       " threads, expected at least one");
  kernels::set_num_threads(threads);
}

// Compares with the path of the sources, as given to the compiler, and of installed headers.
bool is_in(const char* room, const char* source) {
  constexpr std::string_view here = __FILE__;
  constexpr std::string_view tree = here.substr(0, here.rfind("core/tape/modes.cpp"));
  const std::string_view file = source ? source : "";
  return (file.starts_with(tree) && file.substr(tree.size()).starts_with(room)) ||
         file.find(std::string("/stepgrad/") + room) != file.npos;
}

}
