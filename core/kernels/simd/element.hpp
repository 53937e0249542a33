#pragma once

#include "core/kernels/simd/functions.hpp"

// What a product multiplies: floats as they are, or rounded to bfloat16. Panels (panels.hpp) hold
// slots of 32 bits, and `fold` numbers that follow each other along k share one. `group` of them
// are packed together: k is filled up with zeros to a multiple of that. One that has no use for the
// tiles of tile.hpp brings its own `Tiles`, and `Turned`, itself as a transposed left-hand matrix.
//
//   along: a group's numbers are neighbours in memory      down: they lie one below the other
namespace stepgrad::kernels {
namespace {

// The multiply-adds of a tile: a is a vector, or points to what all its lanes are.
struct FloatSlots {
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

struct Fp32 {
  using Slots = FloatSlots;
  static constexpr int64_t fold = 1, group = 1;
  struct Scope {};  // of a tile's arithmetic
  struct Setup {};  // of a thread that makes tiles

  STEPGRAD_INLINE static int64_t slots(int64_t k) { return k; }
  STEPGRAD_INLINE static V result(const V& y) { return y; }

  // n slots, n a multiple of W, from n·fold numbers.
  STEPGRAD_INLINE static void along(const float* x, int64_t n, float* to) {
    for (int64_t i = 0; i < n; i += W) store(to + i, load(x + i));
  }
  // n columns of a group, whose numbers lie `row` apart; its rows of slots lie n apart. `rows` of
  // the group exist.
  STEPGRAD_INLINE static void down(const float* x, int64_t, int64_t, int64_t n, float* to) {
    along(x, n, to);
  }
};

// The mode in which the CPU takes and gives zeros for numbers below the normal ones.
struct FlushDenormals {
  const uint64_t before = mode();
  STEPGRAD_INLINE FlushDenormals() { set_mode(before | flush); }
  STEPGRAD_INLINE ~FlushDenormals() { set_mode(before); }
  FlushDenormals(const FlushDenormals&) = delete;

 private:
#if defined(__SSE2__)
  static constexpr uint64_t flush = 0x8040;  // FTZ and DAZ of MXCSR
  STEPGRAD_INLINE static uint64_t mode() { return _mm_getcsr(); }
  STEPGRAD_INLINE static void set_mode(uint64_t mode) { _mm_setcsr(static_cast<unsigned>(mode)); }
#else
  static constexpr uint64_t flush = 1 << 24;  // FZ of FPCR
  STEPGRAD_INLINE static uint64_t mode() {
    uint64_t now;
    __asm__ volatile("mrs %0, fpcr" : "=r"(now));
    return now;
  }
  STEPGRAD_INLINE static void set_mode(uint64_t mode) {
    __asm__ volatile("msr fpcr, %0" : : "r"(mode) : "memory");
  }
#endif
};

#if defined(__AVX512BF16__)

// A slot is a pair, and one instruction adds both products: the second, then the first.
struct PairSlots {
  STEPGRAD_INLINE static V mul_add(const V& a, const V& b, const V& sum) {
    return _mm512_dpbf16_ps(sum, same_bits<__m512bh>(a), same_bits<__m512bh>(b));
  }
  STEPGRAD_INLINE static V mul_add(const float* a, const V& b, const V& sum) {
    return mul_add(V(*a), b, sum);
  }
};

struct Bf16Slots {
  using Slots = PairSlots;
  static constexpr int64_t fold = 2;

  // The lanes of `first` and `second` as neighbours.
  STEPGRAD_INLINE static V neighbours(const V& first, const V& second) {
    return same_bits<V>(_mm512_cvtne2ps_pbh(second, first));
  }
  STEPGRAD_INLINE static void along(const float* x, int64_t n, float* to) {
    for (int64_t i = 0; i < n; i += W) {
      store(to + i, neighbours(load(x + 2 * i), load(x + 2 * i + W)));
    }
  }
  STEPGRAD_INLINE static void put_pair(const V& first, const V& second, int64_t, float* to) {
    alignas(64) uint16_t order[2 * W];
    STEPGRAD_UNROLL
    for (int i = 0; i < 2 * W; ++i) order[i] = static_cast<uint16_t>(i / 2 + i % 2 * W);
    const __m512i pairs = same_bits<__m512i>(_mm512_cvtne2ps_pbh(second, first));
    store(to, same_bits<V>(_mm512_permutexvar_epi16(_mm512_load_si512(order), pairs)));
  }
};

#else

// A pair takes two slots, its second number first: the multiply-adds of floats, in that order, are
// then those of vdpbf16ps. A product of two bfloat16s is exact in a float, so without a fused
// multiply-add only products below the normal numbers differ.
struct Bf16Slots {
  using Slots = FloatSlots;
  static constexpr int64_t fold = 1;

  STEPGRAD_INLINE static V rounded(const V& x) {
    return BFloat16{}(select(xsimd::abs(x) < V(0x1p-126f), x & V(-0.f), x));
  }
  STEPGRAD_INLINE static void along(const float* x, int64_t n, float* to) {
    for (int64_t i = 0; i < n; i += W) {
      const L pairs = same_bits<L>(load(x + i));
      store(to + i, rounded(same_bits<V>((pairs >> 32) | (pairs << 32))));
    }
  }
  STEPGRAD_INLINE static void put_pair(const V& first, const V& second, int64_t n, float* to) {
    store(to, rounded(second));
    store(to + n, rounded(first));
  }
};

#endif

template <int64_t together>
struct Bf16Groups : Bf16Slots {
  static constexpr int64_t group = together;
  using Scope = FlushDenormals;
  struct Setup {};

  STEPGRAD_INLINE static int64_t slots(int64_t k) { return ceil_div(k, group) * group / fold; }
  STEPGRAD_INLINE static V result(const V& y) { return BFloat16{}(y); }

  STEPGRAD_INLINE static void down(const float* x, int64_t row, int64_t rows, int64_t n,
                                   float* to) {
    STEPGRAD_UNROLL
    for (int64_t r = 0; r < group; r += 2, x += 2 * row, to += 2 / fold * n) {
      for (int64_t i = 0; i < n; i += W) {
        put_pair(r == 0 || rows > r ? load(x + i) : V(0.f),  // rows > 0
                 rows > r + 1 ? load(x + row + i) : V(0.f), n, to + i);
      }
    }
  }
};

using Bf16 = Bf16Groups<2>;

}  // namespace
}  // namespace stepgrad::kernels
