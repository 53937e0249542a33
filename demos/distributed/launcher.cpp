#include "demos/distributed/launcher.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "core/check.hpp"
#include "core/files.hpp"
#include "demos/distributed/fault.hpp"
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

// What comes out of a process, by lines.
struct Output {
  int file;
  std::string text{};  // of stdout, what is no whole line yet; of stderr all
  bool open = true;
};

// A process group of its own, so that nothing of it stays.
class Job {
 public:
  explicit Job(const std::vector<std::string>& command) {
    int to_out[2], to_error[2];
    check<FileError>(::pipe(to_out) == 0 && ::pipe(to_error) == 0, "no pipes are left.");
    pid_ = ::fork();
    check<FileError>(pid_ >= 0, "no process can be started.");
    if (pid_ == 0) {
      ::setpgid(0, 0);
#ifdef __linux__
      ::prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
      ::dup2(to_out[1], STDOUT_FILENO), ::dup2(to_error[1], STDERR_FILENO);
      for (const int file : {to_out[0], to_out[1], to_error[0], to_error[1]}) ::close(file);
      std::vector<char*> words;
      for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
      words.push_back(nullptr);
      ::execvp(words[0], words.data());
      ::_exit(127);
    }
    ::close(to_out[1]), ::close(to_error[1]);
    out.file = to_out[0], error.file = to_error[0];
  }
  ~Job() {
    ::close(out.file), ::close(error.file);
    if (status_ < 0) ::kill(-pid_, SIGKILL), ::waitpid(pid_, nullptr, 0);
  }
  Job(const Job&) = delete;

  // Waits a little for output, and takes it.
  void listen() {
    pollfd files[2] = {{out.open ? out.file : -1, POLLIN, 0},
                       {error.open ? error.file : -1, POLLIN, 0}};
    if (!out.open && !error.open) ::usleep(10'000);
    if (::poll(files, 2, 100) <= 0) return;
    for (Output* output : {&out, &error}) {
      if (!files[output == &error].revents) continue;
      char bytes[4096];
      const ssize_t n = ::read(output->file, bytes, sizeof bytes);
      if (n > 0) output->text.append(bytes, static_cast<size_t>(n));
      if (n == 0) output->open = false;
    }
  }
  bool runs() {
    if (status_ < 0 && ::waitpid(pid_, &status_, WNOHANG) == 0) status_ = -1;
    return status_ < 0;
  }
  bool succeeded() const { return WIFEXITED(status_) && WEXITSTATUS(status_) == 0; }
  void signal(int number) const { ::kill(-pid_, number); }

  Output out{-1}, error{-1};

 private:
  pid_t pid_;
  int status_ = -1;
};

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
  if (options.hosts.empty()) return;
  read_file(options.hosts);
  check<FileError>(!at_path("ssh").empty() || std::getenv("OMPI_MCA_plm_rsh_agent"),
                   "ssh, which reaches other hosts, is not installed: it comes with Debian's "
                   "openssh-client.");
}

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

  Job job(mpirun(options, arguments));
  Conversation conversation(options.steps);
  double since = 0;  // when it was first seen to have failed
  std::string fault;
  while (job.runs() || job.out.open || job.error.open) {
    job.listen();
    conversation.take(job.out.text);
    if (fault.empty()) fault = fault_in(job.error.text, conversation.done + 1);
    if (interrupted && fault.empty()) {
      fault = "interrupted in step " + std::to_string(conversation.done + 1);
      job.signal(SIGTERM);
    }
    if (!fault.empty() && since == 0) since = nn::seconds_now();
    if (since > 0 && nn::seconds_now() - since > patience) job.signal(SIGKILL);
    if (!job.runs() && since > 0) break;
  }
  conversation.clear();
  if (job.succeeded() && !interrupted) {
    std::cerr << job.error.text;
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
