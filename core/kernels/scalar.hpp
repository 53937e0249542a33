#pragma once

namespace stepgrad {

// The one element type. The library uses float; the same sources are built again with
// STEPGRAD_DOUBLE for the gradient tests only: central differences need the digits.
#ifdef STEPGRAD_DOUBLE
using Scalar = double;
#else
using Scalar = float;
#endif

}
