#pragma once

#include <string>

#include "core/tensor/tensor.hpp"

namespace stepgrad::demo {

// A model of the documents, or a small one whose result is seen; its sizes, and its seed.
struct Setup {
  std::string model = "ffn";  // or one of the other model_names
  int64_t words = 3, d_model = 4, d_ff = 8, heads = 2, experts = 2;
  int64_t seed = 1;
  double dropout = 0.25;
  bool training = true;
};
inline constexpr const char* model_names[] = {
    "ffn", "linear_ffn", "gelu", "glu", "attention", "block", "experts", "circle", "quadrants", "letters"};
// What the model "letters" learns.
inline constexpr const char* playground_text = "a gradient flows back along the tape. ";

// The mean square difference between the model's output and its targets: random ones for random
// words, or the class of each point of a square. Of "letters", the cross entropy. ValueError:
// another name, a size outside [1, 12], or one that the model refuses.
Tensor loss_of(const Setup& setup);

// "ffn 3 4 8 2 2 1 0.25 1": the members in order. ValueError.
Setup read_setup(const std::string& text);

// The tape of a forward and a backward pass, as a live page reads it.
std::string tape_of(const Setup& setup);

}
