#pragma once

#include "demos/distributed/options.hpp"

namespace stepgrad::demo {

bool is_rank();  // mpirun has started this process

// Starts this program, with the same arguments, as ranks by mpirun. What rank 0 writes is shown; a
// line that begins with @ is for the launcher:
//   @here RANK       it has begun; every rank says so, before MPI starts
//   @all             all ranks have heard each other
//   @step N LOSS     N steps are done
//   @saved N         there is a checkpoint of so many
//   @debug PROCESS   it waits for gdb; without a process: no longer
// Returns the exit code. If a rank fails, or mpirun, one sentence on stderr says who, where, in
// which step, what, and the command that goes on; none is left behind.
int launch(const Options& options, const std::vector<std::string>& arguments);

}  // namespace stepgrad::demo
