#pragma once

#include <algorithm>
#include <chrono>
#include <string>

#include "core/tensor/tensor.hpp"

// The demo's parts in the document's order, and their measurements.
namespace stepgrad::demo {

void implementations();
void position_wise();
void hidden_size();
void activations();
void mixture_of_experts();
void adaptive();
void transformer_block();
void initialization();
void checkpointing();
void mixed_precision();
void parameter_analysis();

std::string with_commas(int64_t number);                    // 1,048,576
std::string column(const std::string& text, size_t width);  // filled up with spaces

int64_t count_parameters(auto& module) {
  int64_t n = 0;
  for (const Tensor& p : module.parameters()) n += p.numel();
  return n;
}

// The shortest time of three runs of f().
double milliseconds(auto f) {
  using Clock = std::chrono::steady_clock;
  double least = 1e300;
  for (int i = 0; i < 3; ++i) {
    const auto start = Clock::now();
    f();
    const std::chrono::duration<double, std::milli> time = Clock::now() - start;
    least = std::min(least, time.count());
  }
  return least;
}

}
