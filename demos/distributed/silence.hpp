#pragma once

#include <map>
#include <set>
#include <string>

#include "demos/distributed/job.hpp"

namespace stepgrad::demo {

// Finds what ranks cannot find: a rank that does not start, before MPI connects them, and ranks
// that are all stopped. It watches the job's processes on this machine; of ranks on others it knows
// whether main() was reached. It adds up seconds in rounds of a tenth of the timeout. A round
// counts as two at most, so that time in which this program was stopped does not count.
class Silence {
 public:
  Silence(double timeout, int64_t ranks);  // seconds; 0: none is ever silent

  void begins(int64_t rank) { absent_.erase(rank); }  // has reached main()
  void all_are_there() { starting_ = false; }

  // A line for stderr, in the form that fault.hpp reads, or nothing. A process is silent if stopped
  // for `timeout` seconds; the start, if it had that many seconds in which no process ran or waited
  // for a core or a disk (a starved start may take longer).
  std::string look(const Job& job, int64_t step);

 private:
  double timeout_, last_;
  std::set<int64_t> absent_;
  bool starting_ = true;
  double idle_ = 0;                  // seconds of the start
  std::map<pid_t, double> stopped_;  // seconds
};

}  // namespace stepgrad::demo
