#pragma once

#include <cstdint>

namespace stepgrad::kernels {

// Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3"
// (2011): four random words for each counter and key.
struct Philox {
  uint32_t counter[4];
  uint32_t key[2];
};

inline Philox philox_round(const Philox& x) {
  const uint64_t p0 = uint64_t{0xD2511F53} * x.counter[0];
  const uint64_t p1 = uint64_t{0xCD9E8D57} * x.counter[2];
  const uint32_t hi0 = p0 >> 32, lo0 = uint32_t(p0);
  const uint32_t hi1 = p1 >> 32, lo1 = uint32_t(p1);
  return {{hi1 ^ x.counter[1] ^ x.key[0], lo1, hi0 ^ x.counter[3] ^ x.key[1], lo0},
      {x.key[0] + 0x9E3779B9, x.key[1] + 0xBB67AE85}};
}

inline Philox philox(Philox x) {
  for (int round = 0; round < 10; ++round) x = philox_round(x);
  return x;  // the words are in x.counter
}

// The four words of row r, columns 4·group to 4·group + 3.
inline Philox philox(uint64_t seed, uint64_t call, int64_t r, int64_t group) {
  return philox(
      {{uint32_t(group), uint32_t(r), uint32_t(call), uint32_t(call >> 32)}, {uint32_t(seed), uint32_t(seed >> 32)}});
}

}
