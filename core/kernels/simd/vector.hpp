#pragma once

#include <stdint.h>

#include <utility>
#include <xsimd/xsimd.hpp>

#include "core/kernels/table.hpp"

// The vector types of this compilation, and operations that xsimd lacks, or lacks in some versions.
//
// Only simd.cpp, compiled once per instruction set, includes the files of this directory.
// Everything in them has internal linkage, and small functions are always inlined: otherwise two
// instruction sets would share one linked function, and an older CPU would run the newer one's
// instructions.
#define STEPGRAD_INLINE inline __attribute__((always_inline))
#define STEPGRAD_LAMBDA __attribute__((always_inline))
#define STEPGRAD_UNROLL _Pragma("GCC unroll 32")

namespace stepgrad::kernels {
namespace {

namespace arch {
using avx512 = xsimd::avx512bw;
using avx2 = xsimd::fma3<xsimd::avx2>;
using sse2 = xsimd::sse2;
using neon = xsimd::neon64;
}

using Arch = arch::STEPGRAD_SIMD_ARCH;
using V = xsimd::batch<float, Arch>;     // W floats
using I = xsimd::batch<int32_t, Arch>;   // W whole numbers
using L = xsimd::batch<uint64_t, Arch>;  // W / 2 wide ones
using Mask = xsimd::batch_bool<float, Arch>;

constexpr int W = int(V::size);

STEPGRAD_INLINE constexpr int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
STEPGRAD_INLINE int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
STEPGRAD_INLINE int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

STEPGRAD_INLINE V load(const float* x) { return V::load_unaligned(x); }
STEPGRAD_INLINE void store(float* y, const V& v) { v.store_unaligned(y); }

// A non-temporal store to a multiple of the vector's size: the lines are not read first, but their
// next read is from memory. Call fence_streams() before others read them.
STEPGRAD_INLINE void stream(float* y, const V& v) {
#if defined(__AVX512F__)
  _mm512_stream_ps(y, v);
#elif defined(__AVX2__)
  _mm256_stream_ps(y, v);
#elif defined(__SSE2__)
  _mm_stream_ps(y, v);
#else
  store(y, v);
#endif
}
STEPGRAD_INLINE void fence_streams() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

// The first n < W lanes from memory, zero in the others; reads nothing beyond x[n - 1].
STEPGRAD_INLINE V load_first(const float* x, int n) {
#ifdef __AVX512F__
  return _mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << n) - 1), x);
#elif defined(__AVX2__)
  static constexpr int32_t lanes[] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};
  return _mm256_maskload_ps(x, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(lanes + W - n)));
#else
  alignas(64) float lanes[W] = {};
  for (int i = 0; i < n; ++i) lanes[i] = x[i];
  return V::load_aligned(lanes);
#endif
}

// The same for any n: a whole vector, a part, or only zeros.
STEPGRAD_INLINE V load_some(const float* x, int64_t n) {
  if (n >= W) return load(x);
  return n > 0 ? load_first(x, int(n)) : V(0.f);
}

// v, with zeros from lane n on.
STEPGRAD_INLINE V first(const V& v, int64_t n) {
  if (n >= W) return v;
  alignas(64) float lanes[W];
  v.store_aligned(lanes);
  return load_some(lanes, n);
}

STEPGRAD_INLINE void store_first(float* y, const V& v, int n) {
#ifdef __AVX512F__
  _mm512_mask_storeu_ps(y, static_cast<__mmask16>((1u << n) - 1), v);
#else
  alignas(64) float lanes[W];
  v.store_aligned(lanes);
  for (int i = 0; i < n; ++i) y[i] = lanes[i];
#endif
}

STEPGRAD_INLINE void store_some(float* y, const V& v, int64_t n) {
  if (n >= W) return store(y, v);
  if (n > 0) store_first(y, v, int(n));
}

// x·y + z, rounded once if the instruction set can: xsimd 8.1 leaves that to the compiler on
// AVX-512, and not every compiler does it.
STEPGRAD_INLINE V mul_add(const V& x, const V& y, const V& z) {
#ifdef __AVX512F__
  return _mm512_fmadd_ps(x, y, z);
#else
  return xsimd::fma(x, y, z);
#endif
}

// What xsimd 8.1 does differently on NEON. maximum, minimum: the second operand if they are equal
// or either is a NaN, as on x86. divide, square_root: rounded correctly, not approximated.
#ifdef __aarch64__
STEPGRAD_INLINE V maximum(const V& x, const V& y) { return vbslq_f32(vcgtq_f32(x, y), x, y); }
STEPGRAD_INLINE V minimum(const V& x, const V& y) { return vbslq_f32(vcltq_f32(x, y), x, y); }
STEPGRAD_INLINE V divide(const V& x, const V& y) { return vdivq_f32(x, y); }
STEPGRAD_INLINE V square_root(const V& x) { return vsqrtq_f32(x); }
#else
STEPGRAD_INLINE V maximum(const V& x, const V& y) { return xsimd::max(x, y); }
STEPGRAD_INLINE V minimum(const V& x, const V& y) { return xsimd::min(x, y); }
STEPGRAD_INLINE V divide(const V& x, const V& y) { return x / y; }
STEPGRAD_INLINE V square_root(const V& x) { return xsimd::sqrt(x); }
#endif

template <class To>
STEPGRAD_INLINE To same_bits(const auto& x) {
  return __builtin_bit_cast(To, x);
}

// Bit i: lane i.
STEPGRAD_INLINE uint32_t bits_of(const Mask& mask) {
#if defined(__AVX512F__)
  return uint32_t(static_cast<__mmask16>(mask));
#elif defined(__AVX2__)
  return uint32_t(_mm256_movemask_ps(mask));
#elif defined(__SSE2__)
  return uint32_t(_mm_movemask_ps(mask));
#else
  alignas(64) float lanes[W];
  select(mask, V(1.f), V(0.f)).store_aligned(lanes);
  uint32_t bits = 0;
  for (int i = 0; i < W; ++i) bits |= uint32_t(lanes[i] != 0) << i;
  return bits;
#endif
}

STEPGRAD_INLINE Mask mask_of(uint32_t bits) {
#if defined(__AVX512F__)
  return Mask(static_cast<__mmask16>(bits));
#else
  alignas(32) static constexpr int32_t lane[] = {1, 2, 4, 8, 16, 32, 64, 128};
  const I bit = I::load_aligned(lane);
  return same_bits<Mask>((I(int32_t(bits)) & bit) == bit);
#endif
}

// The lanes combined by f, pairwise: lane i with lane i + W/2, then the halves of that, and so on.
typedef float Floats __attribute__((vector_size(W * sizeof(float))));
template <int half = W / 2, size_t... lane>
STEPGRAD_INLINE float fold(const V& v, const auto& f, std::index_sequence<lane...> lanes) {
  const Floats x = same_bits<Floats>(v), other = __builtin_shufflevector(x, x, (lane ^ half)...);
  const V y = f(v, same_bits<V>(other));
  if constexpr (half == 1) return same_bits<Floats>(y)[0];
  if constexpr (half > 1) return fold<half / 2>(y, f, lanes);
}
STEPGRAD_INLINE float fold(const V& v, const auto& f) { return fold(v, f, std::make_index_sequence<W>{}); }
STEPGRAD_INLINE float sum_lanes(const V& v) {
  return fold(v, [](const V& a, const V& b) { return a + b; });
}

}
}
