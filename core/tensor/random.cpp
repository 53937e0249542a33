#include "core/tensor/random.hpp"

#include <mutex>

#include "core/tensor/tensor.hpp"

namespace stepgrad {
namespace {

std::mutex mutex;
RandomState state;

}  // namespace

void manual_seed(uint64_t seed) { set_random_state({seed, 0}); }

RandomState random_state() {
  const std::lock_guard lock(mutex);
  return state;
}

void set_random_state(RandomState other) {
  const std::lock_guard lock(mutex);
  state = other;
}

kernels::Draw next_draw(const Shape& shape) {
  const std::lock_guard lock(mutex);
  const int64_t n = shape.dims() ? shape[-1] : 1;
  const int64_t rows = n ? shape.rows() : 0;
  const bool shard = state.examples > 0 && rows % state.examples == 0;
  const int64_t first_row = shard ? rows / state.examples * state.first_example : 0;
  return {rows, n, state.seed, state.call++, first_row};
}

Tensor Tensor::rand(const Shape& shape) {
  const Tensor y = empty(shape);
  kernels::table().uniform(next_draw(shape), y.data());
  return y;
}

Tensor Tensor::randn(const Shape& shape) {
  const Tensor y = empty(shape);
  kernels::normal(next_draw(shape), y.data());
  return y;
}

}  // namespace stepgrad
