#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "core/tensor/tensor.hpp"

namespace stepgrad::nn {

// One process, a rank, of several that compute the same together by MPI, here or on other machines;
// `mpirun -n 4 my_program` starts four. It needs the library stepgrad_distributed. One a program:
//
//   int main(int argc, char** argv) {
//     nn::Distributed world(argc, argv);
//     std::cout << world.rank() << " of " << world.size() << '\n';
//   }
//
// All ranks call the same methods in the same order. If another rank dies, MPI ends this one; if
// one is silent for `timeout` seconds while this one waits, this one says which on stderr and ends
// all. A rank shows that it is there whenever it waits or polls: it may compute for shorter only.
// Should an exception leave the scope of it, all ranks end: the others would wait for ever.
class Distributed {
 public:
  // Waits for all others. ValueError: a rank is of another version, or has other SIMD kernels,
  // whose sums have other bits.
  Distributed(int& argc, char**& argv, double timeout = 60);
  Distributed(const Distributed&) = delete;
  ~Distributed();

  int rank() const { return rank_; }
  int size() const { return size_; }
  const std::string& host(int rank) const { return hosts_[rank]; }

  // In place, the same shape on every rank.
  void broadcast(const Tensor& x, int root = 0);
  // The sum over all ranks, as a binary tree: s(0, n) = s(0, n/2) + s(n/2, n). The same bits on
  // every rank and every time. In place.
  void all_reduce(const Tensor& x);
  void barrier();

  std::string broadcast(std::string bytes, int root = 0);
  std::vector<std::string> all_gather(const std::string& bytes);  // of every rank

  // ValueError, on every rank: a rank has another `value` than rank 0. `what` it is, for the
  // message.
  void require_same(const std::string& what, const std::string& value);

  // Ends every rank. `why`, a sentence, goes to stderr, with rank, host and step in front.
  [[noreturn]] void abort(const std::string& why);

  // For those who send by themselves: waiting makes progress, and notices silent ranks.
  void wait(MPI_Request& request);
  void poll();                        // says that this rank is there, and hears the others
  void wait_since(double beginning);  // one round of waiting: poll(), and look for the silent
  MPI_Comm communicator() const { return communicator_; }

  int64_t step = 0;  // for messages

 private:
  [[noreturn]] void end_all();

  int rank_ = 0, size_ = 1;
  double timeout_;
  std::vector<std::string> hosts_;
  MPI_Comm communicator_, beats_;
  MPI_Request sending_ = MPI_REQUEST_NULL, hearing_ = MPI_REQUEST_NULL;
  double last_said_ = 0, last_heard_ = 0;
};

const MPI_Datatype scalar_type = MPI_FLOAT;

double seconds_now();  // of a clock that only goes forward

}  // namespace stepgrad::nn
