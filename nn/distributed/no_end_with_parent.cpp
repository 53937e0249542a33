#include "nn/distributed/end_with_parent.hpp"

namespace stepgrad::nn {

void end_with_parent() {}
void never_yield() {}

}
