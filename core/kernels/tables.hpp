#pragma once

#include <type_traits>

#include "core/kernels/table.hpp"

namespace stepgrad::kernels {

namespace scalar {  // the plain loops
#define STEPGRAD_KERNEL(Type, name) std::remove_pointer_t<Type> name;
#include "core/kernels/elementwise.inc"
}

// One function for each table that can be compiled in; only those that are have a definition.
const Table* scalar_table();
const Table* sse2_table();
const Table* avx2_table();
const Table* avx512_table();
const Table* neon_table();

}
