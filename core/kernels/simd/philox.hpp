#pragma once

#include "core/kernels/simd/vector.hpp"

// Philox4x32-10, see core/kernels/philox.hpp. A block is four 32-bit words c0..c3; a round is
//
//   (c0, c1, c2, c3) <- (high(M1 c2) ^ c1 ^ k0, low(M1 c2), high(M0 c0) ^ c3 ^ k1, low(M0 c0))
//
// with widening products, after which the key (k0, k1) takes a step. Each word has a 64-bit lane
// to itself, so one widening multiply gives both halves of a product. The upper half of a lane may
// hold anything between rounds: the multiply reads the lower half only, which saves masking.
namespace stepgrad::kernels {
namespace {

constexpr int blocks_in_vector = W / 2;

// Missing in xsimd. multiply_low_words: low 32 bits of a · low 32 bits of b. even_pairs, odd_pairs:
// the k-th 64 bits of each 128-bit lane of a, then of b: a0 b0 | a2 b2 | .. and a1 b1 | a3 b3 | ..
#if defined(__AVX512F__)
STEPGRAD_INLINE L multiply_low_words(const L& a, const L& b) { return _mm512_mul_epu32(a, b); }
STEPGRAD_INLINE L even_pairs(const L& a, const L& b) { return _mm512_unpacklo_epi64(a, b); }
STEPGRAD_INLINE L odd_pairs(const L& a, const L& b) { return _mm512_unpackhi_epi64(a, b); }
#elif defined(__AVX2__)
STEPGRAD_INLINE L multiply_low_words(const L& a, const L& b) { return _mm256_mul_epu32(a, b); }
STEPGRAD_INLINE L even_pairs(const L& a, const L& b) { return _mm256_unpacklo_epi64(a, b); }
STEPGRAD_INLINE L odd_pairs(const L& a, const L& b) { return _mm256_unpackhi_epi64(a, b); }
#elif defined(__SSE2__)
STEPGRAD_INLINE L multiply_low_words(const L& a, const L& b) { return _mm_mul_epu32(a, b); }
STEPGRAD_INLINE L even_pairs(const L& a, const L& b) { return _mm_unpacklo_epi64(a, b); }
STEPGRAD_INLINE L odd_pairs(const L& a, const L& b) { return _mm_unpackhi_epi64(a, b); }
#else
STEPGRAD_INLINE L multiply_low_words(const L& a, const L& b) { return vmull_u32(vmovn_u64(a), vmovn_u64(b)); }
STEPGRAD_INLINE L even_pairs(const L& a, const L& b) { return vzip1q_u64(a, b); }
STEPGRAD_INLINE L odd_pairs(const L& a, const L& b) { return vzip2q_u64(a, b); }
#endif

// The upper 32 bits of each lane, moved to the lower ones. On AVX-512 by a shuffle: a shift would
// wait for the multiplier's unit.
STEPGRAD_INLINE L upper_words(const L& a) {
#if defined(__AVX512F__)
  return _mm512_shuffle_epi32(a, _MM_PERM_DDBB);
#else
  return a >> 32;
#endif
}

// Two vectors of 32-bit words: the words of blocks_in_vector blocks, in the order of elements.
struct Words {
  I first, second;
};

// Lanes 2i and 2i + 1 hold blocks i and i + half of a vector: the final interleaving of pairs of
// lanes then leaves the words in order.
STEPGRAD_INLINE L block_of_lane() {
  alignas(64) uint64_t order[blocks_in_vector];
  STEPGRAD_UNROLL
  for (int i = 0; i < blocks_in_vector; ++i) {
    order[i] = uint64_t(i / 2 + i % 2 * (blocks_in_vector / 2));
  }
  return L::load_aligned(order);
}

// The area that one vector of blocks covers in rows of n > 0 elements: a stretch of a row or, where
// that would waste half of it, as many whole rows as fit.
struct Cover {
  int64_t width, rows;                               // elements of each row, a multiple of four
  L column = block_of_lane(), row = L(uint64_t{0});  // each lane's block

  STEPGRAD_INLINE explicit Cover(int64_t n) : width(smaller(2 * W, ceil_div(n, 4) * 4)), rows(2 * W / width) {
    const L blocks(uint64_t(width / 4));
    for (int64_t r = 1; r < rows; ++r) {
      const auto below = column >= blocks;
      column = select(below, column - blocks, column);
      row = select(below, row + L(uint64_t{1}), row);
    }
  }
};

struct PhiloxWords {
  uint64_t seed, call;

  // The words of n areas below each other, the first at row r and column c, a multiple of four.
  // Their rounds are interleaved, since each round waits for the previous one.
  template <int n>
  STEPGRAD_INLINE void operator()(const Cover& cover, int64_t r, int64_t c, Words (&words)[n]) const {
    L c0[n], c1[n], c2[n], c3[n];  // a block's words, each in its lane's lower half
    STEPGRAD_UNROLL
    for (int i = 0; i < n; ++i) {
      c0[i] = cover.column + L(uint64_t(c / 4));
      c1[i] = cover.row + L(uint64_t(r + i * cover.rows));
      c2[i] = L(call);
      c3[i] = L(call >> 32);
    }
    uint32_t k0 = uint32_t(seed), k1 = uint32_t(seed >> 32);
    STEPGRAD_UNROLL
    for (int round = 0; round < 10; ++round) {
      STEPGRAD_UNROLL
      for (int i = 0; i < n; ++i) {
        const L p0 = multiply_low_words(c0[i], L(uint64_t{0xD2511F53}));
        const L p1 = multiply_low_words(c2[i], L(uint64_t{0xCD9E8D57}));
        c0[i] = upper_words(p1) ^ c1[i] ^ L(uint64_t{k0});
        c2[i] = upper_words(p0) ^ c3[i] ^ L(uint64_t{k1});
        c1[i] = p1;
        c3[i] = p0;
      }
      k0 += 0x9E3779B9;
      k1 += 0xBB67AE85;
    }
    const L low(uint64_t{0xFFFFFFFF});
    STEPGRAD_UNROLL
    for (int i = 0; i < n; ++i) {
      const L c01 = (c0[i] & low) | (c1[i] << 32), c23 = (c2[i] & low) | (c3[i] << 32);
      words[i] = {same_bits<I>(even_pairs(c01, c23)), same_bits<I>(odd_pairs(c01, c23))};
    }
  }
};

// Whether an element's uniform is less than x in (0, 1]: whether its word is at most the last one
// whose upper 24 bits are less than x·2^24. Words are compared as signed numbers, hence with the
// highest bit turned over.
struct Below {
  static constexpr uint32_t highest = 1u << 31;
  I last;

  STEPGRAD_INLINE explicit Below(float x) : last(int32_t(last_word(x) ^ highest)) {}
  STEPGRAD_INLINE Mask operator()(const I& words) const {
    return same_bits<Mask>((words ^ I(int32_t(highest))) <= last);
  }
  STEPGRAD_INLINE static uint32_t last_word(float x) {
    const float steps = x * 16777216.f;
    const auto whole = uint32_t(steps);
    return (whole << 8) - 1 + (float(whole) < steps ? 256 : 0);
  }
};

}
}
