#include "nn/distributed/beats.hpp"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "nn/distributed/distributed.hpp"

namespace stepgrad::nn {
namespace {

const char goes_on = 'g', leaves = 'l';

// Open MPI 4 looks at its sockets in every eighth call only.
bool is_complete(MPI_Request& request) {
  int complete = false;
  for (int i = 0; i < 16 && !complete; ++i) MPI_Test(&request, &complete, MPI_STATUS_IGNORE);
  return complete;
}

// CPU seconds that this process's other threads were given.
double given_to_others() {
  const auto seconds = [](clockid_t clock) {
    timespec time{};
    ::clock_gettime(clock, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
  };
  return seconds(CLOCK_PROCESS_CPUTIME_ID) - seconds(CLOCK_THREAD_CPUTIME_ID);
}

// Whether another thread of this process runs, waits for a core (R) or for a disk (D).
bool others_run() {
  std::error_code error;
  const auto me = std::filesystem::read_symlink("/proc/thread-self", error).filename();
  if (error) return true;  // not Linux: unknown
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    if (task.path().filename() == me) continue;
    std::ifstream stat(task.path() / "stat");  // PID (NAME) STATE ...
    std::string line;
    std::getline(stat, line);
    const std::string state = line.substr(std::min(line.size(), line.rfind(')') + 1), 2);
    if (state == " R" || state == " D") return true;
  }
  return false;
}

}

Beats::Beats(MPI_Comm comm, double timeout, std::function<void(int rank)> silent)
    : comm_(comm), timeout_(timeout), silent_(std::move(silent)), thread_([this] { run(); }) {}

Beats::~Beats() {
  {
    const std::lock_guard lock(mutex_);
    leaving_ = true;
  }
  leave_.notify_one();
  thread_.join();
}

bool Beats::active(double seconds) {
  const double before = std::exchange(given_, given_to_others());
  return here_.exchange(false) || given_ - before > 0.01 * seconds || others_run();
}

void Beats::run() {
  int rank = 0, size = 1;
  MPI_Comm_rank(comm_, &rank), MPI_Comm_size(comm_, &size);
  const int previous = (rank + size - 1) % size, next = (rank + 1) % size;
  const double round = std::max(timeout_ / 10, 1e-3);
  char heard = goes_on;
  MPI_Request hearing = MPI_REQUEST_NULL, saying = MPI_REQUEST_NULL;
  const auto hear = [&] { MPI_Irecv(&heard, 1, MPI_CHAR, previous, 0, comm_, &hearing); };
  hear();
  double silence = 0, last = seconds_now();
  std::unique_lock lock(mutex_);
  while (!leave_.wait_for(lock, std::chrono::duration<double>(round), [&] { return leaving_; })) {
    const double now = seconds_now(), seconds = std::min(now - std::exchange(last, now), 2 * round);
    const bool is_active = active(seconds);
    if (is_active) silence += seconds;
    while (heard == goes_on && is_complete(hearing)) {
      silence = 0;
      if (heard == goes_on) hear();
    }
    if (heard == goes_on && silence > timeout_) silent_(previous);
    if (is_active && is_complete(saying)) {
      MPI_Isend(&goes_on, 1, MPI_CHAR, next, 0, comm_, &saying);
    }
  }
  if (saying != MPI_REQUEST_NULL) MPI_Request_free(&saying);
  MPI_Isend(&leaves, 1, MPI_CHAR, next, 0, comm_, &saying);
  MPI_Request_free(&saying);
  if (heard == goes_on) {
    MPI_Cancel(&hearing);
    MPI_Wait(&hearing, MPI_STATUS_IGNORE);
  }
}

}
