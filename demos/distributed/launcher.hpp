#pragma once

#include "demos/distributed/options.hpp"

namespace stepgrad::demo {

bool is_rank();  // mpirun has started this process

// Starts this program with the same arguments as ranks by mpirun. Rank 0's output is shown; lines
// that begin with @ are for the launcher:
//   @here RANK       it has begun; every rank says so, before MPI starts
//   @all             all ranks have heard each other
//   @step N LOSS     N steps are done
//   @saved N         there is a checkpoint of so many
//   @debug PROCESS   it waits for gdb; without a process: no longer
// Returns the exit code. If a rank or mpirun fails, one sentence on stderr names the rank, host,
// step and cause, and the command that resumes; no process is left.
int launch(const Options& options, const std::vector<std::string>& arguments);

}  // namespace stepgrad::demo
