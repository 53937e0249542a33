#include "ops/compare.hpp"

#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"
#include "ops/add.hpp"
#include "ops/sub.hpp"

namespace stepgrad {

// Y = [X1 = X2]: 1 where it holds, else 0; and so on. A step has no gradient.
static constexpr Formula equal{"eq", "Y = [X1 = X2]", "", of_each<eq>(), Traits{.pieces = "X1 = X2"}},
    greater{"gt", "Y = [X1 > X2]", "", of_each<gt>(), Traits{.pieces = "X1 > X2"}},
    less{"lt", "Y = [X1 < X2]", "", of_each<lt>(), Traits{.pieces = "X1 < X2"}};

template <const Formula& of>
static Tensor compare(kernels::Binary kernel, const char* op, Arg& a, Arg& b) {
  const Shape shape = broadcast(op, a, b);
  auto node = record_step<of>({}, a, b);
  return on_tape(elementwise(kernel, shape, a, b).set_kind(Kind::integer), std::move(node));
}

Tensor eq(Arg a, Arg b) { return compare<equal>(kernels::table().eq, "eq", a, b); }
Tensor gt(Arg a, Arg b) { return compare<greater>(kernels::table().gt, "gt", a, b); }
Tensor lt(Arg a, Arg b) { return compare<less>(kernels::table().lt, "lt", a, b); }

Tensor ne(Arg a, Arg b) { return 1 - compare<equal>(kernels::table().eq, "ne", a, b); }

// Not 1 - gt(a, b), which is 1 for a NaN.
Tensor le(Arg a, Arg b) {
  broadcast("le", a, b);
  return lt(a, b) + eq(a, b);
}
Tensor ge(Arg a, Arg b) {
  broadcast("ge", a, b);
  return gt(a, b) + eq(a, b);
}

}
