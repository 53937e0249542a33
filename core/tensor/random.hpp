#pragma once

#include <cstdint>
#include <vector>

#include "core/tensor/shape.hpp"

namespace stepgrad {

// Random numbers come from a counter, not from a state that threads would have to share: element
// (r, c) of a tensor seen as [rows, n], n its last size, is word c % 4 of
//   Philox4x32-10(counter = (c / 4, r, call), key = seed)      Salmon et al. 2011
// where `call` counts the random tensors since manual_seed. So the same seed gives the same bits
// for any number of threads and any instruction set.
struct RandomState {
  uint64_t seed = 0;
  uint64_t call = 0;
  // Not 0: all that is computed is a shard of a batch, `examples` of it from `first_example` on. Of
  // a tensor that has k rows for each of them, row r is then drawn as row k·first_example + r, so
  // that the shards of a batch together draw what the batch as one would. Others are drawn as ever.
  int64_t first_example = 0;
  int64_t examples = 0;
};

void manual_seed(uint64_t seed);

// To draw the same numbers a second time: keep the state, and set it again later.
RandomState random_state();
void set_random_state(RandomState state);

// What the kernels need for the next random tensor. Counts one call, an empty tensor's too.
kernels::Draw next_draw(const Shape& shape);

// To draw the same numbers a second time while other threads draw theirs: while a RememberDraws
// lives, it notes with which state each random tensor of this thread is drawn; while a RepeatDraws
// lives, this thread draws with these, in their order. The state of all is left alone, and what
// this thread asks set_random_state for meanwhile is passed over.
using Draws = std::vector<RandomState>;

class RememberDraws {
 public:
  explicit RememberDraws(Draws& draws);
  ~RememberDraws();
  RememberDraws(const RememberDraws&) = delete;
  void note(const RandomState& state);  // here, and in those around it

 private:
  Draws& draws_;
  RememberDraws* const outer_;
};

class RepeatDraws {
 public:
  explicit RepeatDraws(const Draws& draws);
  ~RepeatDraws();
  RepeatDraws(const RepeatDraws&) = delete;
  const RandomState& next();  // ValueError: more is drawn than was

 private:
  const Draws& draws_;
  size_t next_ = 0;
  RepeatDraws* const outer_;
  // Whoever remembers around this does not: in his repetition this will stand as well, and draw the
  // same.
  RememberDraws* const around_;
};

}  // namespace stepgrad
