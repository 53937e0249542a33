#include "demos/distributed/launcher.hpp"

#include <signal.h>

#include <cstdlib>
#include <iostream>
#include <sstream>
#include <utility>

#include "demos/distributed/fault.hpp"
#include "demos/distributed/job.hpp"
#include "demos/distributed/mpirun.hpp"
#include "demos/distributed/silence.hpp"
#include "demos/distributed/stepping.hpp"
#include "demos/parts/cell.hpp"
#include "demos/parts/other_load.hpp"
#include "demos/parts/terminal.hpp"
#include "nn/distributed/distributed.hpp"

namespace stepgrad::demo {
namespace {

// Seconds until mpirun is killed after a fault: 4.1 may hang if a rank is killed at its start.
constexpr double patience = 5;

volatile sig_atomic_t interrupted = 0;  // by this signal

// Rank 0's output: progress for the bar, the rest to be shown.
class Conversation {
 public:
  explicit Conversation(const Options& options)
      : silence(options.step ? 0 : options.timeout, options.ranks), bar_(options.steps) {}

  void take(std::string& text) {
    for (size_t end; (end = text.find('\n')) != text.npos; text.erase(0, end + 1)) {
      std::string line = text.substr(0, end);
      std::erase(line, '\r');  // mpirun gives ranks a terminal
      say(line);
    }
  }
  void clear() { bar_.clear(); }
  int64_t done = 0, saved = -1;  // steps; -1: none is
  std::string waiting;           // the process that waits for a debugger, if one does
  Silence silence;

 private:
  void say(const std::string& line) {
    std::istringstream words(line);
    std::string what, loss;
    words >> what;
    if (what == "@step") {
      words >> done >> loss;
      bar_.show(done, "loss " + loss);
    } else if (what == "@saved") {
      words >> saved;
      done = saved;
    } else if (what == "@here") {
      int64_t rank = 0;
      words >> rank;
      silence.begins(rank);
    } else if (what == "@all") {
      silence.all_are_there();
    } else if (what == "@debug") {
      waiting.clear();
      words >> waiting;
    } else {
      bar_.clear();
      std::cout << line << '\n' << std::flush;
    }
  }

  ProgressBar bar_;
};

// The command that resumes after a failure.
std::string resume(const Conversation& conversation, std::vector<std::string> arguments) {
  const auto is_flag = [](const std::string& word) { return word == "--resume"; };
  const bool resumed = std::erase_if(arguments, is_flag) > 0;
  if (conversation.saved < 0 && resumed) {
    return "the checkpoint is as it was, for " + command_of(arguments) + " --resume";
  }
  if (conversation.saved < 0) {
    return "nothing was saved yet: " + command_of(arguments) + " begins anew";
  }
  arguments.emplace_back("--resume");
  return command_of(arguments) + " goes on after step " + std::to_string(conversation.saved);
}

}  // namespace

bool is_rank() { return std::getenv("OMPI_COMM_WORLD_RANK") != nullptr; }

namespace {

// Until all processes have ended.
void watch(Job& job, Conversation& conversation, const Options& options) {
  pid_t gdb = 0;
  double failed = 0, ended = 0;  // since when
  size_t heard = 0;              // bytes of stderr searched for faults
  while (job.runs() || job.out.open || job.error.open || gdb) {
    job.listen();
    conversation.take(job.out.text);
    if (!conversation.waiting.empty() && !gdb && !failed) {
      gdb = start(debugger(conversation.waiting, options.ranks > 1));
    }
    if (gdb && has_ended(gdb)) {
      gdb = 0;
      if (!conversation.waiting.empty()) interrupted = SIGINT;  // it could not take over
    } else if (gdb && interrupted == SIGINT) {
      interrupted = 0;  // Ctrl-C is for gdb
    }
    const double now = nn::seconds_now();
    const std::string silent = failed ? "" : conversation.silence.look(job, conversation.done + 1);
    job.error.text += silent;
    const bool news = std::exchange(heard, job.error.text.size()) != job.error.text.size();
    if (!failed && (interrupted || (news && says_the_end(job.error.text)))) failed = now;
    if (!ended && !job.runs()) ended = now;
    if (failed == now && interrupted) job.terminate();
    if (!silent.empty()) job.kill_others();
    if (failed && now - failed > patience) job.kill();
    if (ended && now - ended > 1 && !gdb) break;  // another process may keep the pipe open
  }
}

}  // namespace

int launch(const Options& options, const std::vector<std::string>& arguments) {
  require_possible(options);
  struct sigaction action {};
  action.sa_handler = [](int number) { interrupted = number; };
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(number, &action, nullptr);

  const OtherLoad others;
  Job job(mpirun(options, arguments));
  Conversation conversation(options);
  watch(job, conversation, options);
  conversation.clear();
  if (job.succeeded() && !interrupted) {
    std::cerr << job.error.text;
    if (options.compare) show_words(others.note());
    return 0;
  }
  const int64_t step = conversation.done + 1;
  std::string fault =
      interrupted ? "interrupted in step " + std::to_string(step) : fault_in(job.error.text, step);
  if (fault.empty()) {
    std::cerr << job.error.text;
    fault = "mpirun failed in step " + std::to_string(step);
  }
  std::cerr << "distributed: " << fault << "; " << resume(conversation, arguments) << ".\n";
  return 1;
}

}  // namespace stepgrad::demo
