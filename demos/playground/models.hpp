#pragma once

#include <string>

#include "core/tensor/tensor.hpp"

namespace stepgrad::demo {

// A model of the documents, its sizes, and its seed.
struct Setup {
  std::string model = "ffn";  // or one of the other model_names
  int64_t words = 3, d_model = 4, d_ff = 8, heads = 2, experts = 2;
  int64_t seed = 1;
  double dropout = 0.25;
  bool training = true;
};
inline constexpr const char* model_names[] = {"ffn",       "linear_ffn", "gelu",   "glu",
                                              "attention", "block",      "experts"};

// The mean square difference between the model's output for random words and random targets.
// ValueError: another name, a size outside [1, 12], or one that the model refuses.
Tensor loss_of(const Setup& setup);

// "ffn 3 4 8 2 2 1 0.25 1": the members in order. ValueError.
Setup read_setup(const std::string& text);

// The tape of a forward and a backward pass, as a live page reads it.
std::string tape_of(const Setup& setup);

}  // namespace stepgrad::demo
