#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/tape/record.hpp"
#include "nn/nn.hpp"
#include "ops/ops.hpp"

// What an exercise is checked with. Numbers are doubles here, so that differences have digits.
namespace stepgrad::exercise {

using Tensors = std::vector<Tensor>;

// Each throws one sentence about the first thing that is not right.
void check_shape(const std::string& what, const Tensor& found, const Shape& wanted);
void check_values(const std::string& what, const Tensor& found, const Tensor& wanted);

// The gradients of f at these inputs against central differences, element by element.
void check_gradients(const std::string& what, const std::function<Tensor(const Tensors&)>& f,
                     const Tensors& inputs);

// One of those that main() runs.
struct Exercise {
  Exercise(const char* name, void (*check)());
};

}  // namespace stepgrad::exercise

// EXERCISE(name) { checks }: what is run when the program is.
#define EXERCISE(name)                                                   \
  static void check();                                                   \
  static const stepgrad::exercise::Exercise the_exercise{#name, &check}; \
  static void check()

using namespace stepgrad;            // an exercise is about what is in there,
using namespace stepgrad::exercise;  // and has a namespace of its own
