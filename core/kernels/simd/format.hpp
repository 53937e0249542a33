#pragma once

#include "core/kernels/simd/vector.hpp"

// The elements of a product: floats, or floats rounded to bfloat16. Packed matrices (pack.hpp)
// consist of slots of 32 bits, each with `per_slot` numbers that are neighbours along k. A row of a
// panel is packed from numbers that are
//
//   along: side by side; k runs along the columns    down: in a column; k runs along the rows
namespace stepgrad::kernels {
namespace {

// A tile of the result stays in registers while k runs: tile_rows x tile_vectors sums, tile_vectors
// of the right-hand matrix, and one element of the left-hand one.
#if defined(__AVX512F__)
constexpr int tile_rows = 12, tile_vectors = 2;  // of 32 registers
#elif defined(__AVX2__)
constexpr int tile_rows = 6, tile_vectors = 2;  // of 16
#elif defined(__SSE2__)
constexpr int tile_rows = 2, tile_vectors = 4;  // of 16, one for a product
#else
constexpr int tile_rows = 6, tile_vectors = 4;  // of 32
#endif
constexpr int panel = tile_vectors * W;

// The first n of `vectors` vectors, then zeros.
template <int vectors>
STEPGRAD_INLINE void load_row(const float* x, int64_t n, V (&v)[vectors]) {
  STEPGRAD_UNROLL
  for (int i = 0; i < vectors; ++i)
    v[i] = n >= vectors * W ? load(x + i * W) : load_some(x + i * W, n - i * W);
}

// A bfloat16 is the upper half of a float. Rounds by adding half a unit, a little less before an
// even one.
STEPGRAD_INLINE V bfloat16(const V& x) {
  const I bits = same_bits<I>(x);
  const I up = bits + I(0x7fff) + ((bits >> 16) & I(1));
  return select(x == x, same_bits<V>(up & I(-0x10000)), x);
}

// One number per slot, rounded by F.
template <class F>
struct Singles {
  static constexpr int64_t per_slot = 1;

  // A panel's row: n numbers side by side, then zeros.
  STEPGRAD_INLINE static void along(const float* x, int64_t n, float* to) {
    V v[tile_vectors];
    load_row(x, n, v);
    STEPGRAD_UNROLL
    for (int i = 0; i < tile_vectors; ++i) store(to + i * W, F::rounded(v[i]));
  }
  // A panel's row of n columns, each with `rows` <= per_slot numbers that are `row` apart; then
  // zeros.
  STEPGRAD_INLINE static void down(const float* x, int64_t, int64_t, int64_t n, float* to) {
    along(x, n, to);
  }
};

struct Fp32 : Singles<Fp32> {
  using Slots = Fp32;

  STEPGRAD_INLINE static V rounded(const V& x) { return x; }

  // sum + a·b; an a in memory is broadcast to all lanes.
  STEPGRAD_INLINE static V mul_add(const V& a, const V& b, const V& sum) {
    return kernels::mul_add(a, b, sum);
  }
  STEPGRAD_INLINE static V mul_add(const float* a, const V& b, const V& sum) {
#ifdef __AVX512F__  // one instruction, which compilers take apart if a is used twice
    __m512 y = sum;
    __asm__("vfmadd231ps %1%{1to16%}, %2, %0" : "+v"(y) : "m"(*a), "v"(static_cast<__m512>(b)));
    return y;
#else
    return mul_add(V(*a), b, sum);
#endif
  }
};

#ifdef __AVX512BF16__

// A slot is a pair; one instruction adds both products.
struct Bf16 {
  static constexpr int64_t per_slot = 2;
  using Slots = Bf16;

  STEPGRAD_INLINE static V rounded(const V& x) { return bfloat16(x); }
  STEPGRAD_INLINE static V mul_add(const V& a, const V& b, const V& sum) {
    return _mm512_dpbf16_ps(sum, same_bits<__m512bh>(a), same_bits<__m512bh>(b));
  }
  STEPGRAD_INLINE static V mul_add(const float* a, const V& b, const V& sum) {
    return mul_add(V(*a), b, sum);
  }

  STEPGRAD_INLINE static void along(const float* x, int64_t n, float* to) {
    V v[2 * tile_vectors];
    load_row(x, n, v);
    STEPGRAD_UNROLL
    for (int i = 0; i < tile_vectors; ++i) {
      if (2 * i * W < n) {  // a hidden panel is half a row
        store(to + i * W, same_bits<V>(_mm512_cvtne2ps_pbh(v[2 * i + 1], v[2 * i])));
      }
    }
  }
  STEPGRAD_INLINE static void down(const float* x, int64_t row, int64_t rows, int64_t n,
                                   float* to) {
    alignas(64) uint16_t order[2 * W];
    STEPGRAD_UNROLL
    for (int i = 0; i < 2 * W; ++i) order[i] = static_cast<uint16_t>(i / 2 + i % 2 * W);
    V first[tile_vectors], second[tile_vectors];
    load_row(x, n, first);
    load_row(x + row, rows > 1 ? n : 0, second);
    STEPGRAD_UNROLL
    for (int i = 0; i < tile_vectors; ++i) {
      const auto pairs = same_bits<__m512i>(_mm512_cvtne2ps_pbh(second[i], first[i]));
      store(to + i * W, same_bits<V>(_mm512_permutexvar_epi16(_mm512_load_si512(order), pairs)));
    }
  }
};

#else

// The emulation: rounded floats, whose products are exact.
struct Bf16 : Singles<Bf16> {
  using Slots = Fp32;

  STEPGRAD_INLINE static V rounded(const V& x) { return bfloat16(x); }
};

#endif

// The number of slots of k steps.
template <class E>
STEPGRAD_INLINE int64_t slots(int64_t k) {
  return ceil_div(k, E::per_slot);
}

}  // namespace
}  // namespace stepgrad::kernels
