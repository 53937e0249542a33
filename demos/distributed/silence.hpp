#pragma once

#include <map>
#include <set>
#include <string>

#include "demos/distributed/job.hpp"

namespace stepgrad::demo {

// Finds what the ranks cannot find themselves: a rank that does not start, before MPI connects
// them, and ranks that are all stopped. It looks at the job's processes on this machine; of a rank
// on another one it knows whether main() was reached. It adds up seconds in rounds of a tenth of
// the timeout. A round counts as two at most, so that time in which this program was stopped, too,
// does not count.
class Silence {
 public:
  Silence(double timeout, int64_t ranks);  // seconds; 0: none is ever silent

  void begins(int64_t rank) { absent_.erase(rank); }  // has reached main()
  void all_are_there() { starting_ = false; }

  // A line for stderr, in a form that fault.hpp reads, or nothing. A process is silent when it was
  // stopped for `timeout` seconds. The start is, when it has spent so many without any process that
  // ran, or waited for a core or a disk: a starved start may take longer.
  std::string look(const Job& job, int64_t step);

 private:
  double timeout_, last_;
  std::set<int64_t> absent_;
  bool starting_ = true;
  double idle_ = 0;                  // seconds of the start
  std::map<pid_t, double> stopped_;  // seconds
};

}  // namespace stepgrad::demo
