// The step with OpenBLAS's sgemm.
#include <cblas.h>

#include "demos/benchmark/peers/chain.hpp"

int main(int argc, char** argv) {
  const auto flag = [](bool transposed) { return transposed ? CblasTrans : CblasNoTrans; };
  return peers::run(argc, argv,
                    [=](bool ta, bool tb, int64_t m, int64_t n, int64_t k, const float* a,
                        const float* b, float beta, float* y) {
                      const auto whole = [](int64_t size) { return static_cast<int>(size); };
                      cblas_sgemm(CblasRowMajor, flag(ta), flag(tb), whole(m), whole(n), whole(k),
                                  1.f, a, whole(ta ? m : k), b, whole(tb ? k : n), beta, y,
                                  whole(n));
                    });
}
