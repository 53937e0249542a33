#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "nn/distributed/beats.hpp"

namespace stepgrad::nn {

// A rank: one of several processes that compute together by MPI, here or on other machines. `mpirun
// -n 4 my_program` starts four. Needs the library stepgrad_distributed. One per program:
//
//   int main(int argc, char** argv) {
//     nn::Distributed world(argc, argv);
//     std::cout << world.rank() << " of " << world.size() << '\n';
//   }
//
// All ranks call the same methods in the same order. If a rank dies, MPI ends the others. If an
// exception leaves the scope of this object, all ranks end.
//
// A rank that is silent for `timeout` seconds is named on stderr, and all ranks end. A rank is
// silent
// - while its process is stopped, or its machine or network is gone;
// - while all of its threads sleep outside of these methods: in a deadlock, or for input that does
//   not come. A program that sleeps on purpose calls poll().
// A rank that computes is never silent, however long a step takes and however few cores it gets: a
// thread of its own sends beats (beats.hpp). An endless loop looks like a long step, so the others
// wait for it. MPI's own start is not watched.
// After it all ranks end if one has not constructed this object within max(timeout, 10) s.
class Distributed {
 public:
  // Waits for all others. timeout = 0, or an MPI without MPI_THREAD_MULTIPLE: no rank is ever
  // silent. ValueError: a rank has another program (by its file's name), version or timeout, or
  // other SIMD kernels, whose sums differ bitwise.
  Distributed(int& argc, char**& argv, double timeout = 60);
  Distributed(const Distributed&) = delete;
  ~Distributed();

  int rank() const { return rank_; }
  int size() const { return size_; }
  const std::string& host(int rank) const { return hosts_[rank]; }

  void barrier();
  std::vector<std::string> all_gather(const std::string& bytes);  // of every rank

  // ValueError, on every rank: a rank's `value` differs from rank 0's. `what` names it in the
  // message.
  void require_same(const std::string& what, const std::string& value);

  // Ends every rank. `why`, a sentence, goes to stderr after rank, host and step.
  [[noreturn]] void abort(const std::string& why);

  // For programs that send their own messages, or sleep.
  void wait(MPI_Request& request);
  void poll();                        // says that this rank is not silent
  void wait_since(double beginning);  // one round of a loop that waits: poll(), and a short sleep
  MPI_Comm communicator() const { return communicator_; }

  int64_t step = 0;  // for messages

 private:
  // Waits, and ends every rank after so many seconds; 0: without end.
  void wait_at_most(double seconds, MPI_Request& request);
  [[noreturn]] void end_all(int rank, int64_t in_step, const std::string& why);

  int rank_ = 0, size_ = 1;
  std::atomic<int64_t> last_step_ = 0;  // at the last poll()
  std::mutex mutex_;                    // guards hosts_
  std::vector<std::string> hosts_;
  MPI_Comm communicator_, for_beats_;
  std::unique_ptr<Beats> beats_;
};

const MPI_Datatype scalar_type = MPI_FLOAT;

double seconds_now();  // a monotonic clock

}
