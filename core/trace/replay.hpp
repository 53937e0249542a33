#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/trace/recording.hpp"

namespace stepgrad {

// A tape that is computed once more, as often as one likes: forward from its leaves, constants and
// masks, each op by its formula from its attributes and inputs, and backward. Those can be changed
// in between. It is what a live page asks; what the bits are is said by the kernels in use.
//
// What no op on the tape made stays as it was recorded: also a mask that was computed by a
// comparison, or the ids of a top k.
class Replay {
 public:
  // From what to_text() says. ValueError: that is none, or has an op that is not known here.
  explicit Replay(std::string_view text);

  // Forward and backward. Gradients of leaves are this run's, and what keep_gradients() kept.
  // ValueError: the ops do not record what they did. What an op throws.
  Recording run();
  double loss() const;  // forward alone: the sum of the last op's numbers, each times its gradient

  // A leaf, a constant or a mask, to be read and written; undefined for what an op computes. By
  // the places in Recording::values.
  const Tensor& given(size_t value) const { return values_.at(value); }

  // A step of SGD on the leaf `value`: w -= rate * grad, of the last run.
  void step(size_t value, Scalar rate);
  void keep_gradients();  // of the last run, under those of the next
  // The last run's recording stays as it is: what is written from now on is written to copies.
  void keep_numbers();
  void zero_grad();
  // Dropout's masks: drawn anew by their counters, as the next pass of the program would, or in
  // evaluation the share that is kept, everywhere.
  void draw(bool training);

 private:
  friend class ReplayReader;
  struct Op {
    const Formula* formula;
    Attributes attributes;
    std::vector<size_t> inputs;
    size_t output;
  };
  Tensor forward() const;

  std::vector<Tensor> values_, earlier_;  // earlier: what leaves' gradients begin with
  std::vector<Op> ops_;
  Tensor seed_;  // the gradient that backward begins with
  Tensor loss_;  // of the last run: it keeps the tape
};

// A recording as a Replay reads it. TapeError: why it cannot be computed once more, in a sentence.
std::string to_text(const Recording& recording);

}  // namespace stepgrad
