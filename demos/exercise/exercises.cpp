// The exercises. Between //> and //< stands a solution, and behind //< what stands in the gap.
#include "demos/exercise/exercise.hpp"

namespace stepgrad::exercise {

// == mul_backward
// Y = A∘B        A, B: shapes that broadcast      Y: what they broadcast to
struct MyMulBackward final : Node {
  static constexpr Formula formula{"my_mul", "Y = A∘B", "dA = ?   dB = ?"};
  MyMulBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    //> give a and b their gradients: a.add_grad(...), b.add_grad(...). A and B are saved below
    a.add_grad(dY * B);
    b.add_grad(dY * A);
    //<
  }
  Input a{this}, b{this};
  Saved A{this, "A"}, B{this, "B"};
};

Tensor my_mul(Arg a, Arg b) {
  auto node = record<MyMulBackward>(a, b);
  if (node) node->A = a.tensor, node->B = b.tensor;
  const NoGrad no_grad;
  return on_tape(a.tensor * b.tensor, std::move(node));
}

// == used_twice
// Y = X + X·W        X, W: numbers, or tensors of one shape
struct MyResidualBackward final : Node {
  static constexpr Formula formula{"my_residual", "Y = X + X∘W", "dX = ?   dW = ?"};
  MyResidualBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    //> give x and w their gradients
    x.add_grad(dY + dY * W);
    w.add_grad(dY * X);
    //<
  }
  Input x{this}, w{this};
  Saved X{this, "X"}, W{this, "W"};
};

Tensor my_residual(Arg x, Arg w) {
  auto node = record<MyResidualBackward>(x, w);
  if (node) node->X = x.tensor, node->W = w.tensor;
  const NoGrad no_grad;
  return on_tape(x.tensor + x.tensor * w.tensor, std::move(node));
}

// == matmul_backward
// Y = A·B        A: [.., n, k]   B: [k, m]   Y: [.., n, m]
struct MyMatmulBackward final : Node {
  static constexpr Formula formula{"my_matmul", "Y = A·B", "dA = ?   dB = ?"};
  MyMatmulBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    //> give a and b their gradients; x.transpose(i, j) swaps dimensions, add_grad() sums a batch
    a.add_grad(matmul(dY, B.transpose(-2, -1)));
    b.add_grad(matmul(A.transpose(-2, -1), dY));
    //<
  }
  Input a{this}, b{this};
  Saved A{this, "A"}, B{this, "B"};
};

Tensor my_matmul(Arg a, Arg b) {
  auto node = record<MyMatmulBackward>(a, b);
  if (node) node->A = a.tensor, node->B = b.tensor;
  const NoGrad no_grad;
  return on_tape(matmul(a.tensor, b.tensor), std::move(node));
}

// == add_backward
// Y = A + B: the gradient of A, which has `shape` and was broadcast to dY's.
Tensor summed_to(Tensor dY, const Shape& shape) {
  //> sum dY over what was broadcast, down to `shape`. shape.dims() is how many dimensions it has
  while (dY.dim() > shape.dims()) dY = sum(dY, 0);
  for (int dim = 0; dim < shape.dims(); ++dim)
    if (shape[dim] == 1) dY = sum(dY, dim, true);
  return dY;
  //< return dY;
}

// == relu_backward
// Y = max(0, X)
struct MyReluBackward final : Node {
  static constexpr Formula formula{"my_relu", "Y = max(0, X)", "dX = ?"};
  MyReluBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    //> give x its gradient: x.add_grad(...)
    x.add_grad(dY * gt(X, 0));
    //<
  }
  Input x{this};
  Saved X{this, "X"};
};

Tensor my_relu(Arg x) {
  auto node = record<MyReluBackward>(x);
  if (node) node->X = x.tensor;
  const NoGrad no_grad;
  return on_tape(clamp(x.tensor, 0), std::move(node));
}

// == dropout
// x, mask: one shape; mask is 1 where an element stays    p: its chance to be dropped, in [0, 1)
Tensor drop(const Tensor& x, const Tensor& mask, Scalar p, bool training) {
  //> in training, drop; in evaluation, x is as it was
  return training ? x * mask / (1 - p) : x;
  //< return x;
}

// == feed_forward
// x: [.., d_model]   w1: [d_model, d_ff]   b1: [d_ff]   w2: [d_ff, d_model]   b2: [d_model]
Tensor feed_forward(Tensor x, const Tensor& w1, const Tensor& b1, const Tensor& w2, const Tensor& b2) {
  //> compute FFN(x)
  x = matmul(x, w1) + b1;
  return matmul(clamp(x, 0), w2) + b2;
  //< return x;
}

// == sgd_step
// p ← p - lr·p.grad() for each parameter. Those without a gradient, and all gradients, stay.
void sgd_step(const Tensors& parameters, Scalar lr) {
  //> make the step
  const NoGrad no_grad;
  for (const Tensor& p : parameters)
    if (p.grad().defined()) p.sub_(lr * p.grad());
  //<
}

// == find_the_nan
// The op whose gradient is the first that is not finite: "mul", "sum" or "sqrt".
std::string first_not_finite() {
  //> name it
  return "sqrt";
  //< return "";
}

// The length of each row, x: [n, d], as [n]. A row of zeros has length 0, and shall have gradient
// 0.
Tensor lengths(const Tensor& x) {
  //> mend it: no gradient may be NaN, and no length may change
  const Tensor squares = sum(x * x, -1);
  return sqrt(where(squares, squares, 1)) * gt(squares, 0);
  //< return sqrt(sum(x * x, -1));
}

// == softmax_backward
// Y = softmax(X) along the last dimension
struct MySoftmaxBackward final : Node {
  static constexpr Formula formula{"my_softmax", "Y = exp(X) / Σ exp(X)", "dX = ?"};
  MySoftmaxBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    //> give x its gradient. Y is saved below; sum(x, -1, true) is the sum of each row, [.., 1]
    x.add_grad(Y * (dY - sum(dY * Y, -1, true)));
    //<
  }
  Input x{this};
  Saved Y{this, "Y"};
};

Tensor my_softmax(Arg x) {
  auto node = record<MySoftmaxBackward>(x);
  const NoGrad no_grad;
  const Tensor y = softmax(x.tensor, -1);
  if (node) node->Y = y;
  return on_tape(y, std::move(node));
}

// == decoder_mask
// [n, n]: 1 where position i must not look at position j, else 0
Tensor decoder_mask(int64_t n) {
  //> make the mask
  return triu(Tensor::ones({n, n}), 1);
  //< return Tensor::zeros({n, n});
}

// == attention
// q: [.., n_q, d]   k: [.., n_k, d]   v: [.., n_k, d_v]   mask, or undefined: [n_q, n_k], 1 where a
// query must not look at a key. Returns [.., n_q, d_v].
Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
  //> compute it
  Tensor scores = matmul(q, k.transpose(-2, -1)) / std::sqrt(Scalar(q.size(-1)));
  if (mask.defined()) scores = masked_fill(scores, mask, -1e9);
  return matmul(softmax(scores, -1), v);
  //< return v;
}

// == layer_norm_backward
// Y = X̂∘w + b      X̂ = (X - mean(X))∘R      R = 1/√(var(X) + 1e-5)      over the last dimension
struct MyLayerNormBackward final : Node {
  static constexpr Formula formula{"my_layer_norm", "Y = X̂∘w + b", "dX = ?   dw = ?   db = ?"};
  MyLayerNormBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    //> give x, weight and bias their gradients. mean(x, -1, true) is the mean of each row, [.., 1]
    const Tensor G = dY * W;
    x.add_grad(R * (G - mean(G, -1, true) - X_hat * mean(G * X_hat, -1, true)));
    weight.add_grad(dY * X_hat);
    bias.add_grad(dY);
    //<
  }
  Input x{this}, weight{this}, bias{this};
  Saved X_hat{this, "X̂"}, R{this, "R"}, W{this, "w"};
};

Tensor my_layer_norm(Arg x, Arg weight, Arg bias) {
  auto node = record<MyLayerNormBackward>(x, weight, bias);
  const NoGrad no_grad;
  const Tensor centred = x.tensor - mean(x.tensor, -1, true);
  const Tensor R = 1 / sqrt(mean(centred * centred, -1, true) + 1e-5), X_hat = centred * R;
  if (node) node->X_hat = X_hat, node->R = R, node->W = weight.tensor;
  return on_tape(X_hat * weight.tensor + bias.tensor, std::move(node));
}

// == no_feed_forward
// x: [n, d]. attend, ffn, norm1, norm2: functions from [n, d] to [n, d]; ffn may be empty (null)
Tensor block(Tensor x, const Part& attend, const Part& ffn, const Part& norm1, const Part& norm2) {
  //> add and normalise, once or twice
  x = norm1(x + attend(x));
  return ffn ? norm2(x + ffn(x)) : x;
  //< return x;
}

// == sequence_wise
// x: [batch, length, d_model]. ffn: from [.., length] to [.., length], at each row by itself
Tensor sequence_wise(const Tensor& x, const Part& ffn) {
  //> let ffn go along the sequence, at each feature by itself
  return ffn(x.transpose(1, 2)).transpose(1, 2);
  //< return x;
}

// == overfit
// Trains the parameters so that mean((block(x) - target)²) is below 0.01, in 300 calls of block.
void overfit(const Part& block, const Tensors& parameters, const Tensor& x, const Tensor& target) {
  //> train
  nn::AdamW optimizer(parameters, 0.01);
  for (int step = 0; step < 300; ++step) {
    optimizer.zero_grad();
    const Tensor wrong_by = block(x) - target;
    mean(wrong_by * wrong_by).backward();
    optimizer.step();
  }
  //<
}

// == gated_feed_forward
// x: [n, d_model]   gate, value: [d_model, d_ff]   out: [d_ff, d_model]
Tensor swiglu(const Tensor& x, const Tensor& gate, const Tensor& value, const Tensor& out) {
  //> compute it
  return matmul(silu(matmul(x, gate)) * matmul(x, value), out);
  //< return x;
}

// == hidden_size
// How many parameters max(0, x·W1 + b1)·W2 + b2 has.
int64_t parameters(int64_t d_model, int64_t d_ff) {
  //> count them
  return 2 * d_model * d_ff + d_ff + d_model;
  //< return d_model * d_ff;
}

// The largest width of a SwiGLU that has no more of them.
int64_t swiglu_width(int64_t d_model, int64_t d_ff) {
  //> use parameters()
  return parameters(d_model, d_ff) / (3 * d_model);
  //< return d_ff;
}

// == mixture_of_experts
// Σ over experts of gate · expert(x).     x: [n, d]   gate: [d, experts]
Tensor mixture(const Tensor& x, const Tensor& gate, const std::vector<Part>& experts) {
  //> weigh what each expert says by its gate, and add up
  const Tensor gates = softmax(matmul(x, gate), -1);
  Tensor y = zeros_like(x);
  for (size_t e = 0; e < experts.size(); ++e) {
    const auto at = int64_t(e);
    y = y + slice(gates, 1, at, at + 1) * experts[e](x);
  }
  return y;
  //< return x;
}

}  // namespace stepgrad::exercise
