#include "demos/distributed/silence.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "core/text_stream.hpp"
#include "nn/distributed/distributed.hpp"

namespace stepgrad::demo {
namespace {

// "rank 1 on HOST", or "distributed: mpirun" for another process.
std::string who_is(pid_t process) {
  std::ifstream environment("/proc/" + std::to_string(process) + "/environ");
  const std::string rank = "OMPI_COMM_WORLD_RANK=";
  for (std::string variable; std::getline(environment, variable, '\0');) {
    char host[256] = "";
    if (!variable.starts_with(rank) || ::gethostname(host, sizeof host - 1) != 0) continue;
    return "rank " + variable.substr(rank.size()) + " on " + host;
  }
  return "distributed: mpirun";
}

}  // namespace

Silence::Silence(double timeout, int64_t ranks) : timeout_(timeout), last_(nn::seconds_now()) {
  for (int64_t rank = 0; rank < ranks; ++rank) absent_.insert(rank);
}

std::string Silence::look(const Job& job, int64_t step) {
  const double round = timeout_ / 10, now = nn::seconds_now();
  if (timeout_ == 0 || now - last_ < round) return {};
  const double seconds = std::min(now - std::exchange(last_, now), 2 * round);
  std::map<pid_t, double> stopped;
  bool works = false;
  for (const auto& [process, state] : job.processes()) {
    if (state == 'T') stopped[process] = stopped_[process] + seconds;
    works = works || state == 'R' || state == 'D';
  }
  stopped_ = std::move(stopped);
  if (starting_ && !works) idle_ += seconds;

  TextStream line;
  for (const auto& [process, since] : stopped_) {
    if (since <= timeout_) continue;
    line << who_is(process) << ", in step " << step << ": has not been heard of for " << timeout_
         << " s\n";
    return line.str();
  }
  if (idle_ <= timeout_ || !stopped_.empty()) return {};  // who is stopped will be named
  line << "distributed: the start has waited " << timeout_ << " s for ";
  for (const int64_t rank : absent_)
    line << (rank == *absent_.begin() ? "rank " : ", rank ") << rank;
  line << (absent_.empty() ? "MPI to connect the ranks\n" : "\n");
  return line.str();
}

}  // namespace stepgrad::demo
