#pragma once

namespace stepgrad::nn {

// From now on the system kills this process when its parent ends: MPI's own process is gone, and
// the other ranks with it. Only Linux can.
void end_with_parent();

// Before MPI_Init(): turns mpi_yield_when_idle off, also if mpirun or the user set it. With more ranks than cores Open
// MPI yields in each MPI_Test(), and since Linux 6.18 that gives a whole time slice away.
void never_yield();

}
