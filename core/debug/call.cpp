// A debugger's call into the program: it fills in stepgrad_request and calls stepgrad_answer().
#include "core/kernels/threads.hpp"
#include "core/trace/trace.hpp"
#include "core/watch/explain.hpp"

extern "C" {

struct {
  stepgrad::Node* node;
  char path[4096];          // where to write the tape behind the node as a page; empty: explain(*node)
  const char* answer = "";  // explain's
  const char* problem;      // what went wrong, or an empty text
} stepgrad_request;

static void explain_node() {
  static std::string answer, problem;
  answer.clear(), problem.clear();
  try {
    answer = stepgrad::explain(*stepgrad_request.node);
  } catch (const std::exception& error) {
    problem = error.what();
  }
  stepgrad_request.answer = answer.c_str(), stepgrad_request.problem = problem.c_str();
}

// gdb 13 does not restore all vector registers on a CPU with AMX, see stepgrad_gdb_calls.py.
struct Registers {
#if defined(__x86_64__) && defined(__GNUC__)
  [[gnu::target("xsave")]] Registers() {
    if (there) __builtin_ia32_xsave64(area, -1);
  }
  [[gnu::target("xsave")]] ~Registers() {
    if (there) __builtin_ia32_xrstor64(area, -1);
  }
  const bool there = __builtin_cpu_supports("avx");
  alignas(64) static inline unsigned char area[16384];  // with AMX they take 11,008 bytes
#endif
};

[[gnu::used]] void stepgrad_answer() {
  [[maybe_unused]] const Registers registers;
  const int threads = stepgrad::get_num_threads();
  stepgrad::kernels::set_num_threads(1);  // a debugger lets no other thread run meanwhile
  if (*stepgrad_request.path)
    stepgrad_request.problem = stepgrad_trace(*stepgrad_request.node, stepgrad_request.path);
  else
    explain_node();
  stepgrad::kernels::set_num_threads(threads);
}
}
