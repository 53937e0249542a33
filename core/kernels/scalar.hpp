#pragma once

namespace stepgrad {

// The one element type. The library is float; the same sources are built a second time with
// STEPGRAD_DOUBLE, and only the gradient tests link that: central differences need the digits.
#ifdef STEPGRAD_DOUBLE
using Scalar = double;
#else
using Scalar = float;
#endif

}  // namespace stepgrad
