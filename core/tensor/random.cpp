#include "core/tensor/random.hpp"

#include <utility>

#include "core/check.hpp"
#include "core/memory/locks.hpp"

namespace stepgrad {
namespace {

RandomState state;
constinit thread_local RememberDraws* remembering = nullptr;  // the innermost, if any
constinit thread_local RepeatDraws* repeating = nullptr;

RandomState next_state() {
  if (repeating) return repeating->next();
  const std::lock_guard lock(locks::random);
  const RandomState drawn = state;
  ++state.call;
  return drawn;
}

}

void manual_seed(uint64_t seed) { set_random_state({seed, 0}); }

RandomState random_state() {
  const std::lock_guard lock(locks::random);
  return state;
}

void set_random_state(RandomState other) {
  if (repeating) return;
  const std::lock_guard lock(locks::random);
  state = other;
}

RememberDraws::RememberDraws(Draws& draws) : draws_(draws), outer_(std::exchange(remembering, this)) {}
RememberDraws::~RememberDraws() { remembering = outer_; }

void RememberDraws::note(const RandomState& state) {
  for (RememberDraws* each = this; each; each = each->outer_) each->draws_.push_back(state);
}

RepeatDraws::RepeatDraws(const Draws& draws)
    : draws_(draws), outer_(std::exchange(repeating, this)), around_(std::exchange(remembering, nullptr)) {}
RepeatDraws::~RepeatDraws() { repeating = outer_, remembering = around_; }

const RandomState& RepeatDraws::next() {
  check<ValueError>(next_ < draws_.size(), "random numbers are to be drawn again, of ", draws_.size(),
      " tensors, and more are drawn");
  return draws_[next_++];
}

kernels::Draw next_draw(const Shape& shape) {
  const RandomState drawn = next_state();
  if (remembering) remembering->note(drawn);
  const int64_t n = shape.dims() ? shape[-1] : 1;
  const int64_t rows = n ? shape.rows() : 0;
  const bool shard = drawn.examples > 0 && rows % drawn.examples == 0;
  const int64_t first_row = shard ? rows / drawn.examples * drawn.first_example : 0;
  return {rows, n, drawn.seed, drawn.call, first_row};
}

}
