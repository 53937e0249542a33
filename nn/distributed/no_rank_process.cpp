#include "nn/distributed/rank_process.hpp"

namespace stepgrad::nn {

void end_with_parent() {}
void never_yield() {}

}
