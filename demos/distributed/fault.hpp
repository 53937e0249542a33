#pragma once

#include <string>

namespace stepgrad::demo {

// What has happened, by all that mpirun and the ranks wrote to stderr: "rank 1 on host, in step 7:
// was ended by signal 9". Empty if that cannot be told. `step` is the one that rank 0 was in.
std::string fault_in(const std::string& stderr_text, int64_t step);

// Whether a rank or mpirun has said there that all are about to end.
bool says_the_end(const std::string& stderr_text);

}  // namespace stepgrad::demo
