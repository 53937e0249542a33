#pragma once

#include <string>
#include <vector>

#include "nn/distributed/distributed_data_parallel.hpp"

namespace stepgrad::demo {

using Timeline = std::vector<nn::DistributedDataParallel::Event>;

// Called by all ranks; rank 0 writes what each has computed, waited for and sent, in the format of
// Chrome's trace events, which https://ui.perfetto.dev and chrome://tracing show. Times are since
// `zero`, which was seconds_now() on each rank at the same moment. FileError on rank 0.
void write_timeline(nn::Distributed& world, const std::string& path, const Timeline& events,
                    double zero);

}  // namespace stepgrad::demo
