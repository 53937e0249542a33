#pragma once

#include "core/tensor/shape.hpp"

namespace stepgrad {

// The last undefined gradient that grad() returned to this thread's user code, for the messages of
// whoever uses it: the commonest first mistake.
struct UndefinedGradient {
  const char* name = "";  // of the tensor without a gradient
  Shape shape;
  bool wanted = false;  // the tensor requires one
  Loc asked;            // where grad() was called
};
extern constinit thread_local UndefinedGradient undefined_gradient;

}
