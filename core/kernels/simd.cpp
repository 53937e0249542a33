// The vector kernels: one source, compiled once per instruction set. STEPGRAD_SIMD_ARCH (avx512,
// avx2, sse2 or neon) and the compiler's flags select it.
#include "core/kernels/simd/attention.hpp"
#include "core/kernels/simd/copy.hpp"
#include "core/kernels/simd/elementwise.hpp"
#include "core/kernels/simd/feed_forward.hpp"
#include "core/kernels/simd/feed_forward_grad.hpp"
#include "core/kernels/simd/functions.hpp"
#include "core/kernels/simd/matmul.hpp"
#include "core/kernels/simd/optimizer.hpp"
#include "core/kernels/simd/random.hpp"
#include "core/kernels/simd/reduce.hpp"
#include "core/kernels/simd/rows.hpp"
#include "core/kernels/tables.hpp"

// What is not found above is looked for here.
namespace stepgrad {
using namespace kernels::scalar;
}
#include "core/kernels/fill_table.hpp"

#define STEPGRAD_JOIN(a, b) a##b
#define STEPGRAD_TABLE_OF(arch) STEPGRAD_JOIN(arch, _table)
#define STEPGRAD_TEXT(a) #a
#define STEPGRAD_NAME_OF(arch) STEPGRAD_TEXT(arch)

namespace stepgrad::kernels {

const Table* STEPGRAD_TABLE_OF(STEPGRAD_SIMD_ARCH)() {
  static constexpr Table table = filled_table(STEPGRAD_NAME_OF(STEPGRAD_SIMD_ARCH));
  return &table;
}

}
