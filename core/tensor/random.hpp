#pragma once

#include <cstdint>
#include <vector>

#include "core/tensor/shape.hpp"

namespace stepgrad {

// Random numbers come from a counter, not from a state that threads would have to share. Element
// (r, c) of a tensor viewed as [rows, n], where n is the last dimension, is word c % 4 of
//   Philox4x32-10(counter = (c / 4, r, call), key = seed)      Salmon et al. 2011
// where `call` counts the random tensors since manual_seed. So the same seed gives the same bits
// for any number of threads and any instruction set.
struct RandomState {
  uint64_t seed = 0;
  uint64_t call = 0;
  // If examples > 0, this thread computes one shard of a batch: `examples` examples from
  // first_example on. In a tensor with k rows per example, row r then uses the numbers of row
  // k·first_example + r of the full batch, so all shards together draw what the whole batch would.
  // Other tensors are not affected.
  int64_t first_example = 0;
  int64_t examples = 0;
};

void manual_seed(uint64_t seed);

// To draw the same numbers a second time, keep the state and set it again later.
RandomState random_state();
void set_random_state(RandomState state);

// What the kernels need for the next random tensor. Counts one call, also for an empty tensor.
kernels::Draw next_draw(const Shape& shape);

// To draw the same numbers a second time while other threads draw theirs: RememberDraws records the
// state of every draw on this thread; RepeatDraws replays these states in order. During a replay,
// set_random_state() on this thread is ignored, and the global state does not change.
using Draws = std::vector<RandomState>;

class RememberDraws {
 public:
  explicit RememberDraws(Draws& draws);
  ~RememberDraws();
  RememberDraws(const RememberDraws&) = delete;
  void note(const RandomState& state);  // records it in this scope and all enclosing ones

 private:
  Draws& draws_;
  RememberDraws* const outer_;
};

class RepeatDraws {
 public:
  explicit RepeatDraws(const Draws& draws);
  ~RepeatDraws();
  RepeatDraws(const RepeatDraws&) = delete;
  const RandomState& next();  // ValueError: more draws than were recorded

 private:
  const Draws& draws_;
  size_t next_ = 0;
  RepeatDraws* const outer_;
  // Suspends an outer RememberDraws; when that one replays, it enters this scope again.
  RememberDraws* const around_;
};

}
