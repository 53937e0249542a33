#pragma once

#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "core/tape/record.hpp"
#include "nn/nn.hpp"
#include "ops/ops.hpp"

// The exercises' functions. A program defines one of them; the others are null to calls.cpp,
// which declares them weak.
#ifndef EXERCISE
#define EXERCISE
#endif

namespace stepgrad::exercise {

using Part = std::function<Tensor(Tensor)>;

EXERCISE Tensor my_mul(Arg a, Arg b);
EXERCISE Tensor my_residual(Arg x, Arg w);
EXERCISE Tensor my_matmul(Arg a, Arg b);
EXERCISE Tensor summed_to(Tensor dY, const Shape& shape);
EXERCISE Tensor my_relu(Arg x);
EXERCISE Tensor drop(const Tensor& x, const Tensor& mask, Scalar p, bool training);
EXERCISE Tensor feed_forward(Tensor x, const Tensor& w1, const Tensor& b1, const Tensor& w2, const Tensor& b2);
EXERCISE void sgd_step(const Tensors& parameters, Scalar lr);
EXERCISE std::string first_not_finite();
EXERCISE Tensor lengths(const Tensor& x);
EXERCISE Tensor my_softmax(Arg x);
EXERCISE Tensor decoder_mask(int64_t n);
EXERCISE Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask);
EXERCISE Tensor my_layer_norm(Arg x, Arg weight, Arg bias);
EXERCISE Tensor block(Tensor x, const Part& attend, const Part& ffn, const Part& norm1, const Part& norm2);
EXERCISE Tensor sequence_wise(const Tensor& x, const Part& ffn);
EXERCISE void overfit(const Part& block, const Tensors& parameters, const Tensor& x, const Tensor& target);
EXERCISE Tensor swiglu(const Tensor& x, const Tensor& gate, const Tensor& value, const Tensor& out);
EXERCISE int64_t parameters(int64_t d_model, int64_t d_ff);
EXERCISE int64_t swiglu_width(int64_t d_model, int64_t d_ff);
EXERCISE Tensor mixture(const Tensor& x, const Tensor& gate, const std::vector<Part>& experts);

}
