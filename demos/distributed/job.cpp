#include "demos/distributed/job.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/check.hpp"

namespace stepgrad::demo {
namespace {

[[noreturn]] void become(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execvp(words[0], words.data());
  ::_exit(127);
}

}  // namespace

Job::Job(const std::vector<std::string>& command) {
  int to_out[2], to_error[2];
  check<FileError>(::pipe2(to_out, O_CLOEXEC) == 0 && ::pipe2(to_error, O_CLOEXEC) == 0,
                   "there are no more pipes.");
  pid_ = ::fork();
  check<FileError>(pid_ >= 0, "no process can be started.");
  if (pid_ == 0) {
    ::setsid();
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    ::dup2(::open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
    ::dup2(to_out[1], STDOUT_FILENO), ::dup2(to_error[1], STDERR_FILENO);
    become(command);
  }
  ::close(to_out[1]), ::close(to_error[1]);
  out.file = to_out[0], error.file = to_error[0];
}

Job::~Job() {
  ::close(out.file), ::close(error.file);
  const bool program_runs = runs();
  kill();  // what the program has left behind, too
  if (program_runs) ::waitpid(pid_, nullptr, 0);
}

void Job::listen() {
  pollfd files[2] = {{out.open ? out.file : -1, POLLIN, 0},
                     {error.open ? error.file : -1, POLLIN, 0}};
  if (::poll(files, 2, 100) <= 0) return;
  for (Output* output : {&out, &error}) {
    if (!files[output == &error].revents) continue;
    char bytes[4096];
    const ssize_t n = ::read(output->file, bytes, sizeof bytes);
    if (n > 0) output->text.append(bytes, static_cast<size_t>(n));
    std::erase(output->text, '\0');  // Open MPI 5 puts some between lines
    if (n == 0) output->open = false;
  }
}

bool Job::runs() {
  if (status_ < 0 && ::waitpid(pid_, &status_, WNOHANG) == 0) status_ = -1;
  return status_ < 0;
}

bool Job::succeeded() const { return WIFEXITED(status_) && WEXITSTATUS(status_) == 0; }

void Job::terminate() const {
  if (status_ < 0) ::kill(pid_, SIGTERM);
}

void Job::kill_others() const {
  for (const Process& process : processes()) {
    if (process.id != pid_) ::kill(process.id, SIGKILL);
  }
}

void Job::kill() const {
  kill_others();
  if (status_ < 0) ::kill(pid_, SIGKILL);
}

std::vector<Job::Process> Job::processes() const {
  std::vector<Process> found;
  std::error_code error;
  for (const auto& folder : std::filesystem::directory_iterator("/proc", error)) {
    std::ifstream file(folder.path() / "stat");  // PID (NAME) STATE PARENT GROUP SESSION ...
    std::string stat;
    std::getline(file, stat);
    std::istringstream words(stat.substr(std::min(stat.size(), stat.rfind(')') + 1)));
    char state = 'Z';
    pid_t parent = 0, group = 0, session = 0;
    words >> state >> parent >> group >> session;
    if (session == pid_ && state != 'Z') found.push_back({std::stoi(stat), state});
  }
  return found;
}

pid_t start(const std::vector<std::string>& command) {
  const pid_t process = ::fork();
  check<FileError>(process >= 0, "no process can be started.");
  if (process == 0) become(command);
  return process;
}

bool has_ended(pid_t process) { return ::waitpid(process, nullptr, WNOHANG) != 0; }

}  // namespace stepgrad::demo
