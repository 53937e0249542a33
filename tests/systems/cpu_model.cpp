// What __builtin_cpu_supports asks: a part of clang's library that zig lacks. Bits and layout are
// libgcc's.
#include <cpuid.h>

extern "C" {
struct {
  unsigned vendor, type, subtype, features[1];
} __cpu_model;

void __cpu_indicator_init() {
  struct Feature {
    unsigned leaf;
    char at;
    int bit, feature;
  };
  constexpr Feature features[] = {{1, 'c', 12, 14},           // FMA
      {7, 'b', 5, 10}, {7, 'b', 16, 15}, {7, 'b', 17, 22},    // AVX2, AVX512F, DQ
      {7, 'b', 28, 23}, {7, 'b', 30, 21}, {7, 'b', 31, 20}};  // CD, BW, VL
  for (const auto& [leaf, at, bit, feature] : features) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    __get_cpuid_count(leaf, 0, &a, &b, &c, &d);
    if ((at == 'b' ? b : c) >> bit & 1) __cpu_model.features[0] |= 1u << feature;
  }
}
}
