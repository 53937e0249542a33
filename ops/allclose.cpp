#include "ops/allclose.hpp"

#include "core/tape/observer.hpp"
#include "ops/abs.hpp"
#include "ops/add.hpp"
#include "ops/compare.hpp"
#include "ops/mul.hpp"
#include "ops/sub.hpp"
#include "ops/sum.hpp"

namespace stepgrad {

bool allclose(Arg a, Arg b, double rtol, double atol) {
  const OpCall call(a.loc);
  broadcast("allclose", a, b);
  tell_read(a.tensor, "allclose()", a.loc);
  tell_read(b.tensor, "allclose()", a.loc);
  const Unshown ours;
  const Tensor size = abs(b);
  const Tensor near = le(abs(sub(a, b)), size * rtol + atol) * lt(size, infinity);
  return sum(eq(near + eq(a, b), 0)).item() == 0;
}

}
