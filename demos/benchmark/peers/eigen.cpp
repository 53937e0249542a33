// The step with Eigen's matrix product.
#include <Eigen/Core>

#include "demos/benchmark/peers/chain.hpp"

namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// y = a·b + beta y, for operands as given.
template <class A, class B>
void product(const A& a, const B& b, float beta, float* y) {
  Eigen::Map<Matrix> result(y, a.rows(), b.cols());
  if (beta == 0)
    result.noalias() = a * b;
  else
    result.noalias() += a * b;
}

}  // namespace

int main(int argc, char** argv) {
  return peers::run(argc, argv,
                    [](bool ta, bool tb, int64_t m, int64_t n, int64_t k, const float* a,
                       const float* b, float beta, float* y) {
                      const Eigen::Map<const Matrix> A(a, ta ? k : m, ta ? m : k),
                          B(b, tb ? n : k, tb ? k : n);
                      if (ta)
                        product(A.transpose(), B, beta, y);
                      else if (tb)
                        product(A, B.transpose(), beta, y);
                      else
                        product(A, B, beta, y);
                    });
}
