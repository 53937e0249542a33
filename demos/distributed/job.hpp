#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace stepgrad::demo {

// A program and all processes that it starts on this machine: a session, which ends with this
// object.
class Job {
 public:
  // FileError: no process can be started.
  explicit Job(const std::vector<std::string>& command);
  ~Job();
  Job(const Job&) = delete;

  void listen();  // waits at most 0.1 s for output, and takes it
  bool runs();
  bool succeeded() const;
  void terminate() const;    // asks the program itself to end
  void kill_others() const;  // all but the program itself, which then puts things in order
  void kill() const;

  struct Process {
    pid_t id;
    char state;  // Linux's: R runs or waits for a core, D waits for a disk, T is stopped
  };
  std::vector<Process> processes() const;  // those that have not ended

  struct Output {
    int file = -1;
    std::string text{};
    bool open = true;
  };
  Output out, error;

 private:
  pid_t pid_;
  int status_ = -1;
};

// A process with this program's terminal, which it shares.
pid_t start(const std::vector<std::string>& command);
bool has_ended(pid_t process);

}  // namespace stepgrad::demo
