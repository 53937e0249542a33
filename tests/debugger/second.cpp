// A second program for the debugger's tests: tensors of every kind, good and bad, and a tape with a
// batch, a row, a broadcast on both sides, a column and a loss; and a gradient of a gradient.
#include <cstring>

#include "core/tape/grad.hpp"
#include "core/tape/tape.hpp"
#include "ops/ops.hpp"

using namespace stepgrad;

static void marker() {}  // tests stop here

static void tensors() {
  const Tensor scalar = Tensor::full({}, 2.5f);
  const Tensor vector = Tensor::of({1, 2, 3}).set_name("vector");
  const Tensor cube = Tensor::ones({2, 3, 4});
  const Tensor none = Tensor::zeros({0, 3});
  const Tensor nan = Tensor::of({0 / std::strtof("0", nullptr), infinity, 1, 3});
  const Tensor leaf = Tensor::of({{1, 2}, {3, 4}}).requires_grad_().set_name("가중치");
  const Tensor product = leaf * 2;
  const Tensor large = Tensor::empty({16384, 8192});
  const auto row = leaf.detach()[1];  // a Row, in leaf's memory
  Tensor undefined;
  alignas(Tensor) unsigned char bytes[4][sizeof(Tensor)];
  std::memset(bytes[0], 0xCD, sizeof bytes[0]);  // points nowhere
  static int64_t nonsense[64];
  std::memset(nonsense, 0x7F, sizeof nonsense);
  const void* points_to_nonsense = nonsense;
  std::memcpy(bytes[1], &points_to_nonsense, sizeof(void*));
  {
    const Tensor dies = Tensor::ones({7, 7});
    std::memcpy(bytes[2], &dies, sizeof(void*));
  }
  const Tensor& nowhere = *reinterpret_cast<Tensor*>(bytes[0]);
  const Tensor& corrupted = *reinterpret_cast<Tensor*>(bytes[1]);
  const Tensor& freed = *reinterpret_cast<Tensor*>(bytes[2]);
  int number = 7;
  marker();
  const Tensor later = Tensor::ones({2});
  (void)nowhere, (void)corrupted, (void)freed, (void)number, (void)later;
}

// Whether numbers in registers of vectors, and in those of the x87, are there again after the
// label, where a debugger stops.
[[gnu::noinline]] static bool keeps_registers() {
#ifdef __x86_64__
  if (!__builtin_cpu_supports("avx")) return true;
  float from[16 * 8], to[16 * 8] = {};
  for (int i = 0; i < 16 * 8; ++i) from[i] = 1.5f * i;
  long double pi = 0;
  __asm__ volatile(R"(
    fldpi
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    vmovups 32*\i(%1), %%ymm\i
    .endr
    .globl registers_loaded
  registers_loaded:
    nop
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    vmovups %%ymm\i, 32*\i(%2)
    .endr
    fstpt %0
    vzeroupper
  )"
                   : "=m"(pi)
                   : "r"(from), "r"(to)
                   : "memory", "cc", "r11", "st", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
                   "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
  return std::memcmp(from, to, sizeof from) == 0 && pi > 3.14L && pi < 3.15L;
#else
  return true;
#endif
}

int main() {
  tensors();
  const Tensor table = Tensor::ones({5, 4}).requires_grad_().set_name("table");
  const Tensor w = Tensor::ones({2, 4, 3}).requires_grad_().set_name("w");
  const Tensor column = Tensor::ones({3}).requires_grad_().set_name("column");
  {
    const Tensor x = embedding(table, Tensor::of({{1, 0, 1}, {4, 1, 2}}));  // [2, 3, 4]
    const Tensor y = matmul(x, w) - column;                                 // [2, 3, 3]
    const Tensor h = relu(y.transpose(1, 2)) / 2;
    const Tensor loss = sum(matmul(h, column) * log_softmax(h).sum(-1));
    loss.backward();
  }
  marker();
  // A name of 81 bytes: a debugger reads 80 of them, and so half a letter.
  const Tensor u =
      Tensor::full({2, 2}, 3).requires_grad_().set_name("제곱행렬제곱행렬제곱행렬제곱행렬제곱행렬제곱행렬제곱행");
  const Tensor y = sum(matmul(u, u));
  if (!keeps_registers()) return 1;
  const Tensor slope = grad({y}, {u}, {.create_graph = true})[0];
  const Tensor steepness = sum(slope * slope);
  steepness.backward();
}
