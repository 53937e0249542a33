#pragma once

namespace stepgrad::nn {

// From now on the system kills this process when its parent ends: MPI's own process is gone, and
// the other ranks with it. Only Linux can.
void end_with_parent();

}
