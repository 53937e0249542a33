#pragma once

namespace stepgrad::nn {

// From now on the system kills this process when its parent ends: MPI's own process is gone, and
// the other ranks with it. Only Linux can.
void end_with_parent();

// Before MPI_Init(). Open MPI yields in each MPI_Test() if there are more ranks than cores, which
// costs a slice since Linux 6.18: beside busy processes, a beat took seconds.
void never_yield();

}
