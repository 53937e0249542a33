#include "core/kernels/scalar/attention.hpp"
#include "core/kernels/scalar/elementwise.hpp"
#include "core/kernels/scalar/feed_forward.hpp"
#include "core/kernels/scalar/functions.hpp"
#include "core/kernels/scalar/matmul.hpp"
#include "core/kernels/scalar/random.hpp"
#include "core/kernels/scalar/rows.hpp"
#include "core/kernels/tables.hpp"

namespace stepgrad::kernels {
using namespace scalar;
}
#include "core/kernels/fill_table.hpp"

namespace stepgrad::kernels {

const Table* scalar_table() {
  static constexpr Table table = filled_table("scalar");
  return &table;
}

}
