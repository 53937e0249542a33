#pragma once

#include <mpi.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace stepgrad::nn {

// Finds silent ranks, for nn::Distributed. A thread of each rank sends beats to the next rank in a
// ring, ten in a timeout. It omits a beat if this process was idle since the last one: nobody
// called here(), and no other thread ran, waited for a core, or waited for a disk.
//
// The thread also adds up the time since the previous rank's last beat, in rounds in which this
// rank itself was not idle. A round counts as two at most, so that time in which this process was
// stopped, too, does not count.
class Beats {
 public:
  // All ranks of `comm` have one, with the same timeout, in seconds. `silent(rank)` is called by
  // the thread.
  Beats(MPI_Comm comm, double timeout, std::function<void(int rank)> silent);
  ~Beats();  // tells the next rank that this one leaves
  Beats(const Beats&) = delete;

  void here() { here_ = true; }

 private:
  void run();
  bool active(double seconds);

  const MPI_Comm comm_;
  const double timeout_;
  const std::function<void(int)> silent_;
  std::atomic<bool> here_ = true;
  bool leaving_ = false;
  double given_ = 0;  // CPU seconds of the other threads
  std::mutex mutex_;  // guards leaving_
  std::condition_variable leave_;
  std::thread thread_;
};

}
