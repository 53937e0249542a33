#include <atomic>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "core/kernels/tables.hpp"

namespace stepgrad::kernels {
namespace {

struct Entry {
  const char* name;
  const Table* (*get)();
  bool (*available)();
};

bool always() { return true; }

// By the compiler's detection: xsimd's asks neither the operating system nor for every extension
// that is used here.
#ifdef STEPGRAD_HAS_AVX512
bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("fma");
}
#endif
#ifdef STEPGRAD_HAS_AVX2
bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#endif

// Best first.
constexpr Entry entries[] = {
#ifdef STEPGRAD_HAS_AVX512
    {"avx512", avx512_table, has_avx512},
#endif
#ifdef STEPGRAD_HAS_AVX2
    {"avx2", avx2_table, has_avx2},
#endif
#ifdef STEPGRAD_HAS_SSE2
    {"sse2", sse2_table, always},
#endif
#ifdef STEPGRAD_HAS_NEON
    {"neon", neon_table, always},
#endif
    {"scalar", scalar_table, always},
};

const Table& pick() {
  const char* wanted = std::getenv("STEPGRAD_SIMD");
  if (wanted && *wanted) {
    if (const Table* table = find_table(wanted)) return *table;
    std::string names;
    for (const Entry& entry : entries) {
      if (entry.available()) names += std::string(names.empty() ? "" : ", ") + entry.name;
    }
    throw std::invalid_argument(
        "STEPGRAD_SIMD=" + std::string(wanted) + " is unknown or not available here; there are: " + names);
  }
  for (const Entry& entry : entries) {
    if (entry.available()) return *entry.get();
  }
  return *scalar_table();
}

}

const Table* find_table(const char* name) {
  for (const Entry& entry : entries) {
    if (!std::strcmp(entry.name, name)) return entry.available() ? entry.get() : nullptr;
  }
  return nullptr;
}

const Table& table() {
  static constinit std::atomic<const Table*> picked = nullptr;  // no lock: see tape/forks.cpp
  const Table* table = picked.load(std::memory_order_acquire);
  if (!table) picked = table = &pick();
  return *table;
}

}
