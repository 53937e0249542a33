#pragma once

#include <string>

namespace stepgrad::demo {

// The fault according to mpirun's and the ranks' stderr: "rank 1 on host, in step 7: was ended by
// signal 9". Empty if unknown. `step`: rank 0's.
std::string fault_in(const std::string& stderr_text, int64_t step);

// Whether a rank or mpirun has announced there that all will end.
bool says_the_end(const std::string& stderr_text);

}  // namespace stepgrad::demo
