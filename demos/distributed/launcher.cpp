#include "demos/distributed/launcher.hpp"

#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <utility>

#include "core/check.hpp"
#include "core/files.hpp"
#include "demos/distributed/fault.hpp"
#include "demos/distributed/job.hpp"
#include "demos/distributed/stepping.hpp"
#include "demos/parts/cell.hpp"
#include "demos/parts/other_load.hpp"
#include "demos/parts/terminal.hpp"
#include "nn/distributed.hpp"

namespace stepgrad::demo {
namespace {

constexpr double patience = 10;  // seconds that mpirun has to end after a fault

volatile sig_atomic_t interrupted = 0;

std::string at_path(const std::string& program) {
  std::istringstream folders(std::getenv("PATH") ? std::getenv("PATH") : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string path = folder + '/' + program;
    if (::access(path.c_str(), X_OK) == 0) return path;
  }
  return {};
}

std::string quoted(const std::string& word) {
  const bool plain = word.find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                         "0123456789_-./=:,@") == word.npos;
  if (plain && !word.empty()) return word;
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string command_of(const std::vector<std::string>& arguments) {
  std::string line = "demos/run distributed";
  for (const std::string& word : arguments) line += ' ' + quoted(word);
  return line;
}

std::vector<std::string> mpirun(const Options& options, const std::vector<std::string>& arguments) {
  // --bind-to none: a rank has several threads. Copies from one process's memory to another's are
  // faster, and forbidden in many containers.
  std::vector<std::string> command{
      "mpirun", "--bind-to", "none", "--oversubscribe", "--mca", "btl_vader_single_copy_mechanism",
      "none"};
  const auto add = [&](std::initializer_list<std::string> words) {
    command.insert(command.end(), words);
  };
  if (::geteuid() == 0) add({"--allow-run-as-root"});
  int64_t threads = options.threads;
  if (options.hosts.empty()) {
    if (!threads) threads = std::max<int64_t>(1, cores() / options.ranks);
  } else {
    add({"--hostfile", options.hosts, "--mca", "orte_keep_fqdn_hostnames", "1"});
    add({"--mca", "plm_rsh_args", "-o BatchMode=yes -o ConnectTimeout=10"});
  }
  if (threads) add({"-x", "OMP_NUM_THREADS=" + std::to_string(threads)});
  if (!on_terminal()) add({"-x", "TERM=dumb"});  // ranks think that they write to one
  for (const char* name : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"}) {
    if (std::getenv(name)) add({"-x", name});
  }
  add({"-n", std::to_string(options.ranks)});
  add({std::filesystem::read_symlink("/proc/self/exe").string()});
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

// What rank 0 says: progress for the bar, the rest to be read.
class Conversation {
 public:
  explicit Conversation(int64_t steps) : bar_(steps) {}

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
    } else if (what == "@debug") {
      words >> waiting;
    } else {
      bar_.clear();
      std::cout << line << '\n' << std::flush;
    }
  }

  ProgressBar bar_;
};

void require_possible(const Options& options) {
  check<ValueError>(options.ranks <= options.micro_batches, options.ranks, " ranks have only ",
                    options.micro_batches,
                    " micro-batches to share out: some would have nothing to do.");
  check<FileError>(!at_path("mpirun").empty(),
                   "mpirun is not installed: it comes with Debian's openmpi-bin.");
  if (options.step) {
    check<ValueError>(*options.step < options.ranks, "there is no rank ", *options.step, " among ",
                      options.ranks, ", which begin with 0.");
    check<FileError>(!at_path("gdb").empty(), "gdb is not installed: it is a package of its own.");
  }
  if (options.hosts.empty()) return;
  read_file(options.hosts);
  check<FileError>(!at_path("ssh").empty() || std::getenv("OMPI_MCA_plm_rsh_agent"),
                   "ssh, which reaches other hosts, is not installed: it comes with Debian's "
                   "openssh-client.");
}

std::string whole_lines(const std::string& text) { return text.substr(0, text.rfind('\n') + 1); }

// How to go on, once it has failed.
std::string resume(const Conversation& conversation, std::vector<std::string> arguments) {
  const auto is_flag = [](const std::string& word) { return word == "--resume"; };
  std::erase_if(arguments, is_flag);
  if (conversation.saved < 0) {
    return "nothing was saved yet: " + command_of(arguments) + " begins anew";
  }
  arguments.emplace_back("--resume");
  return command_of(arguments) + " goes on after step " + std::to_string(conversation.saved);
}

}  // namespace

bool is_rank() { return std::getenv("OMPI_COMM_WORLD_RANK") != nullptr; }

int launch(const Options& options, const std::vector<std::string>& arguments) {
  require_possible(options);
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = 1; };
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(number, &action, nullptr);

  const OtherLoad others;
  Job job(mpirun(options, arguments));
  Conversation conversation(options.steps);
  pid_t gdb = 0;
  double since = 0;  // when it was first seen to have failed
  std::string fault;
  while (job.runs() || job.out.open || job.error.open || gdb) {
    job.listen();
    conversation.take(job.out.text);
    if (!conversation.waiting.empty()) {
      gdb = start(debugger(std::exchange(conversation.waiting, {}), options.ranks > 1));
    }
    if (gdb && has_ended(gdb)) gdb = 0;
    if (gdb) interrupted = 0;  // Ctrl-C is for gdb
    if (fault.empty()) fault = fault_in(whole_lines(job.error.text), conversation.done + 1);
    if (interrupted && fault.empty()) {
      fault = "interrupted in step " + std::to_string(conversation.done + 1);
      job.signal(SIGTERM);
    }
    if (!fault.empty() && since == 0) since = nn::seconds_now();
    if (since > 0 && nn::seconds_now() - since > patience) job.signal(SIGKILL);
    if (!job.runs() && since > 0 && !gdb) break;
  }
  conversation.clear();
  if (job.succeeded() && !interrupted) {
    std::cerr << job.error.text;
    if (options.compare) show_words(others.note());
    return 0;
  }
  if (fault.empty()) {
    std::cerr << job.error.text;
    fault = "mpirun failed in step " + std::to_string(conversation.done + 1);
  }
  std::cerr << "distributed: " << fault << "; " << resume(conversation, arguments) << ".\n";
  return 1;
}

}  // namespace stepgrad::demo
