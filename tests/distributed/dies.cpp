// Preloaded into a rank, which it ends as kill -9 does, when the rank begins its broadcast DIES_IN.
#include <mpi.h>

#include <csignal>
#include <cstdlib>

extern "C" int MPI_Ibcast(void* numbers, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  static int left = std::atoi(std::getenv("DIES_IN"));
  if (--left == 0) std::raise(SIGKILL);
  return PMPI_Ibcast(numbers, count, type, root, comm, request);
}
