#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/trace/recording.hpp"

namespace stepgrad {

// A tape that can be run again and again, for a live page: forward from its leaves, constants and
// masks, which can be changed between runs, each op by its formula, attributes and inputs; then
// backward. Results are bitwise those of the kernels in use.
//
// A tensor that no op on the tape computed stays as recorded.
class Replay {
 public:
  // Reads the text of to_text(). ValueError: another text, or an op that is unknown here.
  explicit Replay(std::string_view text);

  // Forward and backward. A leaf's gradient is this run's plus what keep_gradients() kept.
  // ValueError: the ops record other nodes than before. Also throws what an op throws.
  Recording run();
  double loss() const;                // forward alone: the sum of the last op's numbers, each times its gradient
  Tensor output(size_t value) const;  // of an op, forward alone

  // A leaf, a constant or a mask, which may be read and written; undefined for an op's output.
  // `value` is an index in Recording::values.
  const Tensor& given(size_t value) const { return values_.at(value); }

  // A step of SGD on the leaf `value` with the last run's gradient: w -= rate * grad.
  void step(size_t value, Scalar rate);
  void keep_gradients();  // the next run adds to the last run's
  // Keeps the last run's recording: later writes go to copies.
  void keep_numbers();
  void zero_grad();
  // Dropout's masks. In training: drawn anew, as in the program's next pass. In evaluation: the
  // share that is kept, for every element.
  void draw(bool training);

 private:
  friend class ReplayReader;
  struct Op {
    const Formula* formula;
    Attributes attributes;
    std::vector<size_t> inputs;
    size_t output;
    bool wants_grad;  // else it is computed under NoGrad
  };
  Tensors forward() const;

  Tensors values_, earlier_;  // earlier_: what leaves' gradients begin with
  std::vector<Op> ops_;
  Tensor seed_;  // the gradient that backward begins with
  Tensor loss_;  // the last run's, which owns the tape
};

// A recording as Replay reads it. TapeError: why it cannot be recomputed, in one sentence.
std::string to_text(const Recording& recording);

}
