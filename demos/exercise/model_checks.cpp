#include "demos/exercise/check.hpp"

namespace stepgrad::exercise {
namespace {

void check_dropout() {
  const auto check = [](const std::string& what, Scalar p, bool training, const Tensor& mask) {
    compare(
        what, [=](const Tensors& in) { return drop(in[0], mask, p, training); },
        [=](const Tensors& in) { return training ? in[0] * mask / (1 - p) : in[0] * 1; },
        {named("x", {2, 2}, 1)});
  };
  const Tensor mask = Tensor::of({{1, 0}, {0, 1}});
  check("in training with p = 0.5", 0.5, true, mask);
  check("in training with p = 0.2", Scalar(0.2), true, mask);
  check("in training with p = 0", 0, true, Tensor::ones({2, 2}));
  check("in training with nothing left", 0.5, true, Tensor::zeros({2, 2}));
  check("in evaluation", Scalar(0.2), false, mask);
}

void check_feed_forward() {
  const auto wanted = [](const Tensors& in) {
    return matmul(clamp(matmul(in[0], in[1]) + in[2], 0), in[3]) + in[4];
  };
  const auto check = [&](const std::string& what, const Tensor& x, const Tensor& b1) {
    compare(what, of(feed_forward), wanted,
            {x.set_name("x"), named("w1", {3, 5}, 1), b1.set_name("b1"), named("w2", {5, 3}, 3),
             named("b2", {3}, 4)});
  };
  check("FFN(x)", numbers({2, 4, 3}), numbers({5}, 2));
  check("FFN of one row", numbers({1, 3}), numbers({5}, 2));
  check("FFN with a hidden layer of zeros", numbers({2, 3}), numbers({5}) - 100);
}

void check_sgd() {
  for (const Scalar lr : {Scalar(0.5), Scalar(0), Scalar(0.1)}) {
    const Tensor w = numbers({2, 3}, 1), b = numbers({3}, 2), unused = numbers({2}, 3);
    const Tensors before{w.clone(), b.clone(), unused.clone()}, all{w, unused, b};
    for (const Tensor& p : all) p.requires_grad_();
    const Tensor dw = numbers({2, 3}, 4), db = numbers({3}, 5);
    w.set_grad(dw.clone()), b.set_grad(db.clone());
    sgd_step(all, lr);
    TextStream lr_is;
    lr_is << " after a step with lr = " << lr;
    check_values("w" + lr_is.str(), w.detach(), before[0] - lr * dw);
    check_values("b" + lr_is.str(), b.detach(), before[1] - lr * db);
    check_values("a parameter without a gradient" + lr_is.str(), unused.detach(), before[2]);
    check_values("the gradient of w" + lr_is.str(), w.grad(), dw);
    for (const Tensor& p : all)
      if (!p.is_leaf() || !p.requires_grad()) wrong("a parameter is no leaf any more");
  }
}

void check_nan() {
  const Function wanted = [](const Tensors& in) {  // which no gradient of this op makes NaN of
    const Tensor squares = sum(in[0] * in[0], -1);
    return sqrt(where(squares, squares, 1)) * gt(squares, 0);
  };
  compare("lengths", of(lengths), wanted, {named("x", {2, 3}, 1)});
  compare("lengths with a row of zeros", of(lengths), wanted,
          {Tensor::of({{3., 4.}, {0., 0.}, {1., -1.}}).set_name("x")});
  compare("small lengths", of(lengths), wanted, {Tensor::of({{3e-4, 4e-4}}).set_name("x")});
  if (first_not_finite() != "sqrt")
    wrong("the op whose gradient is the first that is not finite is another one than '" +
          first_not_finite() + "'");
}

void check_decoder_mask() {
  for (const int64_t n : {4, 1, 2}) {
    Tensor wanted = Tensor::zeros({n, n});
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = i + 1; j < n; ++j) wanted.data()[i * n + j] = 1;
    check_values("the mask of " + std::to_string(n), decoder_mask(n), wanted);
  }
}

void check_attention() {
  const auto check = [](const std::string& what, const Shape& q, const Shape& k, const Shape& v,
                        const Tensor& mask) {
    compare(
        what, [=](const Tensors& in) { return attention(in[0], in[1], in[2], mask); },
        [=](const Tensors& in) {
          nn::ScaledDotProductAttention right(in[0].size(-1));
          return right(in[0], in[1], in[2], mask).output;
        },
        {named("q", q, 1), named("k", k, 2), named("v", v, 3)});
  };
  check("attention", {2, 3}, {4, 3}, {4, 2}, {});
  check("attention of a batch", {2, 3, 4}, {2, 3, 4}, {2, 3, 2}, {});
  check("attention with a decoder's mask", {3, 2}, {3, 2}, {3, 2}, triu(Tensor::ones({3, 3}), 1));
  check("attention of one position", {1, 2}, {1, 2}, {1, 3}, {});
}

// x -> scale of tanh(x·w), so that no two parts are alike.
Part part(const Tensor& w, Scalar scale) {
  return [=](Tensor x) { return tanh(matmul(x, w)) * scale; };
}

void check_block() {
  const auto right = [](Tensor x, const Part& attend, const Part& ffn, const Part& norm1,
                        const Part& norm2) {
    x = norm1(x + attend(x));
    return ffn ? norm2(x + ffn(x)) : x;
  };
  const auto whole = [](auto block_of) {
    return [=](const Tensors& in) {
      return block_of(in[0], part(in[1], 2), part(in[2], 3), part(in[3], 4), part(in[4], 5));
    };
  };
  const auto half = [](auto block_of) {
    return [=](const Tensors& in) {
      return block_of(in[0], part(in[1], 2), Part(), part(in[2], 4), part(in[2], 5));
    };
  };
  const Tensor x = named("x", {3, 2}, 0), attention = named("the attention's weight", {2, 2}, 1);
  const Tensor norm1 = named("norm1's weight", {2, 2}, 3);
  compare("with a feed-forward", whole(block), whole(right),
          {x, attention, named("the feed-forward's weight", {2, 2}, 2), norm1,
           named("norm2's weight", {2, 2}, 4)});
  compare("without a feed-forward", half(block), half(right), {x, attention, norm1});
}

void check_sequence_wise() {
  const auto check = [](const std::string& what, const Shape& shape) {
    compare(
        what, [](const Tensors& in) { return sequence_wise(in[0], part(in[1], 2)); },
        [](const Tensors& in) { return part(in[1], 2)(in[0].transpose(1, 2)).transpose(1, 2); },
        {named("x", shape, 1), named("w", {shape[1], shape[1]}, 2)});
  };
  check("the output", {2, 4, 3});
  check("the output of a square", {3, 3, 3});
  check("the output of one position", {2, 1, 3});
}

void check_overfit() {
  manual_seed(0);
  nn::TransformerBlock learns(8, 2, 16, 0);
  const Tensor x = numbers({2, 3, 8});
  const Tensor target = layer_norm(numbers({2, 3, 8}, 5), Tensor::ones({8}), Tensor::zeros({8}));
  const Tensors before{x.clone(), target.clone()};
  int calls = 0;
  overfit([&](Tensor in) { return ++calls, learns(in); }, learns.parameters(), x, target);
  check_values("x, which was to stay,", x, before[0]);
  check_values("target, which was to stay,", target, before[1]);
  const NoGrad no_grad;
  const Tensor by = learns(x) - target;
  const Scalar loss = mean(by * by).item();
  TextStream text;
  text << "after " << calls << " calls of block the loss is " << loss;
  if (!(loss < Scalar(0.01))) wrong(text.str() + " and should be below 0.01");
  if (calls > 300) wrong(text.str() + ", but 300 calls were allowed");
}

void check_swiglu() {
  const auto wanted = [](const Tensors& in) {
    const Tensor gate = matmul(in[0], in[1]);
    return matmul(gate * sigmoid(gate) * matmul(in[0], in[2]), in[3]);
  };
  for (const int64_t n : {4, 1})
    compare(n == 1 ? "SwiGLU of one row" : "SwiGLU", of(swiglu), wanted,
            {named("x", {n, 3}, 0), named("gate", {3, 2}, 1), named("value", {3, 2}, 2),
             named("out", {2, 3}, 3)});
}

void check_hidden_size() {
  const auto check = [](const std::string& what, int64_t found, int64_t wanted) {
    if (found != wanted)
      wrong(what + " is " + std::to_string(found) + " and should be " + std::to_string(wanted));
  };
  for (const int64_t d_model : {16, 1, 3})
    for (const int64_t d_ff : {16, 32, 1, 7}) {
      nn::PositionwiseFeedForward ffn(d_model, d_ff);
      int64_t count = 0, width = 0;
      for (const Tensor& p : ffn.parameters()) count += p.numel();
      while (3 * d_model * (width + 1) <= count) ++width;
      const std::string of_both = "(" + std::to_string(d_model) + ", " + std::to_string(d_ff) + ")";
      check("parameters" + of_both, parameters(d_model, d_ff), count);
      check("swiglu_width" + of_both, swiglu_width(d_model, d_ff), width);
    }
}

void check_mixture() {
  const auto with = [](const Tensors& in, auto&& mixture_of) {
    std::vector<Part> experts;
    for (size_t e = 2; e < in.size(); ++e) experts.push_back(part(in[e], Scalar(e)));
    return mixture_of(in[0], in[1], experts);
  };
  const auto wanted = [](const Tensor& x, const Tensor& gate, const std::vector<Part>& experts) {
    const Tensor weights = exp(matmul(x, gate)), shares = weights / sum(weights, -1, true);
    Tensor y = experts[0](x) * slice(shares, 1, 0, 1);
    for (int64_t e = 1; e < gate.size(1); ++e)
      y = y + experts[size_t(e)](x) * slice(shares, 1, e, e + 1);
    return y;
  };
  const auto check = [&](const std::string& what, int64_t n, const Tensor& gate) {
    Tensors inputs{named("x", {n, 2}, 0), gate.set_name("gate")};
    for (int e = 0; e < gate.size(1); ++e)
      inputs.push_back(named("an expert's weight", {2, 2}, e + 2));
    compare(
        what, [&](const Tensors& in) { return with(in, mixture); },
        [&](const Tensors& in) { return with(in, wanted); }, inputs);
  };
  check("three experts", 3, numbers({2, 3}, 1));
  check("three experts at one position", 1, numbers({2, 3}, 1));
  check("three experts with even gates", 3, Tensor::zeros({2, 3}));
  check("one expert", 3, numbers({2, 1}, 1));
}

}  // namespace

const std::vector<Check> model_checks{
    {"dropout", drop != nullptr, check_dropout},
    {"feed_forward", feed_forward != nullptr, check_feed_forward},
    {"sgd_step", sgd_step != nullptr, check_sgd},
    {"find_the_nan", first_not_finite&& lengths, check_nan},
    {"decoder_mask", decoder_mask != nullptr, check_decoder_mask},
    {"attention", attention != nullptr, check_attention},
    {"no_feed_forward", block != nullptr, check_block},
    {"sequence_wise", sequence_wise != nullptr, check_sequence_wise},
    {"overfit", overfit != nullptr, check_overfit},
    {"gated_feed_forward", swiglu != nullptr, check_swiglu},
    {"hidden_size", parameters&& swiglu_width, check_hidden_size},
    {"mixture_of_experts", mixture != nullptr, check_mixture},
};

}  // namespace stepgrad::exercise
