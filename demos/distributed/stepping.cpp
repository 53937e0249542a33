#include "demos/distributed/stepping.hpp"

#include <sys/prctl.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <thread>

namespace stepgrad::demo {

static bool has_debugger() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word == "TracerPid:") return status >> word && word != "0";
  }
  return false;
}

void wait_for_debugger() {
  ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);  // gdb is not its parent
  std::cout << "@debug " << ::getpid() << std::endl;
  while (!has_debugger()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::cout << "@debug" << std::endl;
}

std::vector<std::string> debugger(const std::string& process, bool has_others) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string place = has_others ? "begin_move" : "begin_broadcast";
  const std::string hint =
      "echo \\nbt shows whence it comes; print move and bucket; next, step and finish walk on, "
      "continue trains\\nto the end. The other ranks wait.\\n";
  return {"gdb",  "-q",
          "-iex", "set debuginfod enabled off",
          "-iex", "add-auto-load-safe-path " + program,
          "-ex",  "set confirm off",
          "-ex",  "attach " + process,  // -p would attach before gdb loads the scripts of program
          "-ex",  "tbreak stepgrad::nn::DistributedDataParallel::" + place,
          "-ex",  "continue",
          "-ex",  hint,
          program};
}

}  // namespace stepgrad::demo
