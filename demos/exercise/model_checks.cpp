#include <algorithm>
#include <cmath>

#include "core/text_stream.hpp"
#include "demos/exercise/check.hpp"

namespace stepgrad::exercise {
namespace {

void check_dropout() {
  const auto check = [](const std::string& what, Scalar p, bool training, const Tensor& mask) {
    TextStream said;
    said << what << " with p = " << p;
    compare(
        said.str(), [=](const Tensors& in) { return drop(in[0], mask, p, training); },
        [=](const Tensors& in) { return training ? in[0] * mask / (1 - p) : in[0] * 1; },
        {named("x", mask.shape(), 1)});
  };
  const Shape shape{draw(2, 6), draw(2, 6)};
  const Scalar p = Scalar(draw(5, 95)) / 100, other = Scalar(draw(5, 95)) / 100;
  check("in training", p, true, drawn_mask(shape));
  check("in training", other, true, drawn_mask({draw(2, 6), draw(2, 6)}));
  check("in training", 0, true, Tensor::ones(shape));
  check("in training with nothing left", p, true, Tensor::zeros(shape));
  check("in evaluation", other, false, drawn_mask(shape));
}

void check_feed_forward() {
  const auto wanted = [](const Tensors& in) {
    return matmul(clamp(matmul(in[0], in[1]) + in[2], 0), in[3]) + in[4];
  };
  const auto sizes = draw_sizes(2);
  const int64_t d_model = sizes[0], d_ff = sizes[1];
  const auto check = [&](const std::string& what, const Tensor& x, const Tensor& b1) {
    compare(
        what, of(feed_forward), wanted,
        {x.set_name("x"), named("w1", {d_model, d_ff}, 1), b1.set_name("b1"),
         named("w2", {d_ff, d_model}, 3), named("b2", {d_model}, 4)},
        nullptr,
        {{"without the ReLU",
          [](const Tensors& in) { return matmul(matmul(in[0], in[1]) + in[2], in[3]) + in[4]; }},
         {"with a ReLU at the end, too", [=](const Tensors& in) { return clamp(wanted(in), 0); }},
         {"with the ReLU at the end alone",
          [](const Tensors& in) {
            return clamp(matmul(matmul(in[0], in[1]) + in[2], in[3]) + in[4], 0);
          }},
         {"without the biases",
          [](const Tensors& in) { return matmul(clamp(matmul(in[0], in[1]), 0), in[3]); }}});
  };
  check("FFN(x)", numbers({draw(2, 4), draw(2, 4), d_model}), numbers({d_ff}, 2));
  check("FFN of one row", numbers({1, d_model}), numbers({d_ff}, 2));
  check("FFN with a hidden layer of zeros", numbers({2, d_model}), numbers({d_ff}) - 100);
}

void check_sgd() {
  const auto check = [](Scalar lr) {
    const Shape shape{draw(2, 5), draw(2, 5)};
    const Tensor w = numbers(shape, 1), b = numbers({draw(2, 5)}, 2), unused = numbers({2}, 3);
    const Tensors before{w.clone(), b.clone(), unused.clone()}, all{w, unused, b};
    const Tensor dw = numbers(w.shape(), 4), db = numbers(b.shape(), 5);
    part([&] {
      const int64_t leaves = answer_number([&] {
        for (const Tensor& p : all) p.requires_grad_();
        w.set_grad(dw.clone()), b.set_grad(db.clone());
        sgd_step(all, lr);
        return std::count_if(all.begin(), all.end(),
                             [](const Tensor& p) { return p.is_leaf() && p.requires_grad(); });
      });
      TextStream lr_is;
      lr_is << " after a step with lr = " << lr;
      const auto stays = [&](const std::string& what, const Tensor& p, const Tensor& wanted) {
        check_values(what + lr_is.str(), answer([&] { return p.detach(); }), wanted);
      };
      check_values("w" + lr_is.str(), answer([&] { return w.detach(); }), before[0] - lr * dw,
                   {{"with + in place of −", [&](const Tensors&) { return before[0] + lr * dw; }},
                    {"without lr", [&](const Tensors&) { return before[0] - dw; }}});
      stays("b", b, before[1] - lr * db);
      stays("a parameter without a gradient", unused, before[2]);
      check_values("the gradient of w" + lr_is.str(), answer([&] { return w.grad(); }), dw);
      check_values("the gradient of b" + lr_is.str(), answer([&] { return b.grad(); }), db);
      if (leaves != 3) wrong("a parameter is no leaf any more");
    });
  };
  check(Scalar(0.5));
  check(0);
  check(Scalar(draw(1, 9)) / 10);
}

void check_nan() {
  const Function wanted = [](const Tensors& in) {  // which no gradient of this op makes NaN of
    const Tensor squares = sum(in[0] * in[0], -1);
    return sqrt(where(squares, squares, 1)) * gt(squares, 0);
  };
  compare("lengths", of(lengths), wanted, {named("x", {draw(2, 6), draw(2, 6)}, 1)});
  compare("lengths with a row of zeros", of(lengths), wanted,
          {Tensor::of({{3., 4.}, {0., 0.}, {1., -1.}}).set_name("x")});
  compare("small lengths", of(lengths), wanted, {Tensor::of({{3e-4, 4e-4}}).set_name("x")});
  part([] {
    const std::string op = answer_text([] { return first_not_finite(); });
    if (op != "sqrt")
      wrong("the op whose gradient is the first that is not finite is another one than '" + op +
            "'");
  });
}

void check_decoder_mask() {
  for (const int64_t n : {int64_t(4), int64_t(1), int64_t(2), draw(5, 12)})
    part([&] {
      Tensor wanted = Tensor::zeros({n, n});
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = i + 1; j < n; ++j) wanted.data()[i * n + j] = 1;
      check_values("the mask of " + std::to_string(n), answer([&] { return decoder_mask(n); }),
                   wanted,
                   {{"with rows and columns exchanged", [&](const Tensors&) { return wanted.t(); }},
                    {"with 0 and 1 exchanged", [&](const Tensors&) { return 1 - wanted; }},
                    {"with the diagonal masked, too", [&](const Tensors&) {
                       return triu(Tensor::ones({n, n}));
                     }}});
    });
}

Tensor attended(const Tensor& q, const Tensors& in, const Tensor& mask) {
  return nn::ScaledDotProductAttention(q.size(-1))(q, in[1], in[2], mask).output;
}

void check_attention() {
  const auto check = [](const std::string& what, const Tensors& qkv, const Tensor& mask) {
    compare(
        what, [=](const Tensors& in) { return attention(in[0], in[1], in[2], mask); },
        [=](const Tensors& in) { return attended(in[0], in, mask); }, qkv, nullptr,
        {{"without the division by √d",
          [=](const Tensors& in) {
            return attended(in[0] * std::sqrt(Scalar(in[0].size(-1))), in, mask);
          }},
         {"without the mask", [](const Tensors& in) { return attended(in[0], in, {}); }},
         {"with a softmax over the queries", [=](const Tensors& in) {
            Tensor scores =
                matmul(in[0], in[1].transpose(-2, -1)) / std::sqrt(Scalar(in[0].size(-1)));
            if (mask.defined()) scores = masked_fill(scores, mask, -1e9f);
            return matmul(softmax(scores, -2), in[2]);
          }}});
  };
  const auto inputs = [](const Shape& q, const Shape& k, const Shape& v, Scalar by = 1) {
    return Tensors{(numbers(q, 1) * by).set_name("q"), named("k", k, 2), named("v", v, 3)};
  };
  const auto size = draw_sizes(4);
  const int64_t n = size[0], m = size[1], d = size[2], d_v = size[3], batch = draw(2, 3);
  check("attention", inputs({n, d}, {m, d}, {m, d_v}), {});
  check("attention of a batch", inputs({batch, m, d}, {batch, m, d}, {batch, m, d_v}), {});
  check("attention with a decoder's mask", inputs({n, d}, {n, d}, {n, d_v}),
        triu(Tensor::ones({n, n}), 1));
  check("attention of a batch with a mask", inputs({batch, n, d_v}, {batch, m, d_v}, {batch, m, d}),
        drawn_mask({n, m}));
  check("attention of one position", inputs({1, d}, {1, d}, {1, d_v}), {});
  check("attention with large scores", inputs({n, d}, {m, d}, {m, d_v}, 1000), {});
}

// x -> scale of tanh(x·w), so that no two sublayers are alike.
Part sublayer(const Tensor& w, Scalar scale) {
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
      return block_of(in[0], sublayer(in[1], 2), sublayer(in[2], 3), sublayer(in[3], 4),
                      sublayer(in[4], 5));
    };
  };
  const auto half = [](auto block_of) {
    return [=](const Tensors& in) {
      return block_of(in[0], sublayer(in[1], 2), Part(), sublayer(in[2], 4), sublayer(in[2], 5));
    };
  };
  const Tensor x = named("x", {draw(2, 5), 2}, 0),
               attention = named("the attention's weight", {2, 2}, 1);
  const Tensor norm1 = named("norm1's weight", {2, 2}, 3);
  compare(
      "with a feed-forward", whole(block), whole(right),
      {x, attention, named("the feed-forward's weight", {2, 2}, 2), norm1,
       named("norm2's weight", {2, 2}, 4)},
      nullptr,
      {{"without the ways around",
        whole([](Tensor x, const Part& attend, const Part& ffn, const Part& norm1,
                 const Part& norm2) { return norm2(ffn(norm1(attend(x)))); })},
       {"with each norm before its part", whole([](Tensor x, const Part& attend, const Part& ffn,
                                                   const Part& norm1, const Part& norm2) {
          x = x + attend(norm1(x));
          return x + ffn(norm2(x));
        })}});
  compare("without a feed-forward", half(block), half(right), {x, attention, norm1});
}

void check_sequence_wise() {
  const auto check = [](const std::string& what, const Shape& shape) {
    compare(
        what, [](const Tensors& in) { return sequence_wise(in[0], sublayer(in[1], 2)); },
        [](const Tensors& in) { return sublayer(in[1], 2)(in[0].transpose(1, 2)).transpose(1, 2); },
        {named("x", shape, 1), named("w", {shape[1], shape[1]}, 2)}, nullptr,
        {{"along the features", [](const Tensors& in) { return sublayer(in[1], 2)(in[0]); }}});
  };
  const auto size = draw_sizes(3);
  check("the output", {size[0], size[1], size[2]});
  check("the output of a square", {size[0], size[1], size[1]});
  check("the output of one position", {size[0], 1, size[2]});
}

void check_overfit() {
  part([] {
    manual_seed(unsigned(draw(0, 1 << 20)));
    nn::TransformerBlock learns(8, 2, 16, 0);
    const Tensor x = numbers({2, 3, 8});
    const Tensor target = layer_norm(numbers({2, 3, 8}, 5), Tensor::ones({8}), Tensor::zeros({8}));
    const Tensors before{x.clone(), target.clone()};
    const int64_t calls = answer_number([&] {
      int64_t count = 0;
      overfit([&](Tensor in) { return ++count, learns(in); }, learns.parameters(), x, target);
      return count;
    });
    check_values("x, which was to stay,", answer([&] { return x; }), before[0]);
    check_values("target, which was to stay,", answer([&] { return target; }), before[1]);
    const NoGrad no_grad;
    for (Tensor& p : learns.parameters()) p.copy_(answer([&] { return p.detach(); }));
    const Tensor by = learns(before[0]) - before[1];
    const Scalar loss = mean(by * by).item();
    TextStream text;
    text << "after " << calls << " calls of block the loss is " << loss;
    if (!(loss < Scalar(0.01))) wrong(text.str() + " and should be below 0.01");
    if (calls > 300) wrong(text.str() + ", but 300 calls were allowed");
  });
}

void check_swiglu() {
  const auto wanted = [](const Tensors& in) {
    const Tensor gate = matmul(in[0], in[1]);
    return matmul(gate * sigmoid(gate) * matmul(in[0], in[2]), in[3]);
  };
  const auto size = draw_sizes(2);
  for (const int64_t n : {draw(2, 5), int64_t(1)})
    compare(n == 1 ? "SwiGLU of one row" : "SwiGLU", of(swiglu), wanted,
            {named("x", {n, size[0]}, 0), named("gate", {size[0], size[1]}, 1),
             named("value", {size[0], size[1]}, 2), named("out", {size[1], size[0]}, 3)},
            nullptr,
            {{"with gate and value exchanged",
              [=](const Tensors& in) {
                return wanted({in[0], in[2], in[1], in[3]});
              }},
             {"with sigmoid in place of silu", [](const Tensors& in) {
                return matmul(sigmoid(matmul(in[0], in[1])) * matmul(in[0], in[2]), in[3]);
              }}});
}

void check_hidden_size() {
  const auto check = [](int64_t d_model, int64_t d_ff) {
    part([=] {
      nn::PositionwiseFeedForward ffn(d_model, d_ff);
      int64_t count = 0, width = 0;
      for (const Tensor& p : ffn.parameters()) count += p.numel();
      while (3 * d_model * (width + 1) <= count) ++width;
      const auto compare_numbers = [=](const std::string& name, int64_t (*f)(int64_t, int64_t),
                                       int64_t wanted) {
        const int64_t found = answer_number([=] { return f(d_model, d_ff); });
        TextStream text;
        text << name << '(' << d_model << ", " << d_ff << ") is " << found << " and should be "
             << wanted;
        if (found == 2 * d_model * d_ff) text << "; this is what you get without the biases";
        if (found != wanted) wrong(text.str());
      };
      compare_numbers("parameters", parameters, count);
      compare_numbers("swiglu_width", swiglu_width, width);
    });
  };
  for (const int64_t d_model : {int64_t(16), int64_t(1), int64_t(3), draw(4, 40)})
    for (const int64_t d_ff : {int64_t(16), int64_t(1), int64_t(7), draw(8, 90)})
      check(d_model, d_ff);
}

void check_mixture() {
  const auto with = [](const Tensors& in, auto&& mixture_of) {
    std::vector<Part> experts;
    for (size_t e = 2; e < in.size(); ++e) experts.push_back(sublayer(in[e], Scalar(e)));
    return mixture_of(in[0], in[1], experts);
  };
  const auto right_over = [](int dim) {
    return [dim](const Tensor& x, const Tensor& gate, const std::vector<Part>& experts) {
      const Tensor weights = exp(matmul(x, gate)), shares = weights / sum(weights, dim, true);
      Tensor y = experts[0](x) * slice(shares, 1, 0, 1);
      for (int64_t e = 1; e < gate.size(1); ++e)
        y = y + experts[size_t(e)](x) * slice(shares, 1, e, e + 1);
      return y;
    };
  };
  const auto check = [&](const std::string& what, int64_t n, const Tensor& gate) {
    Tensors inputs{named("x", {n, 2}, 0), gate.set_name("gate")};
    for (int e = 0; e < gate.size(1); ++e)
      inputs.push_back(named("an expert's weight", {2, 2}, e + 2));
    compare(
        what, [&](const Tensors& in) { return with(in, mixture); },
        [&](const Tensors& in) { return with(in, right_over(-1)); }, inputs, nullptr,
        {{"with a softmax over the rows",
          [&](const Tensors& in) { return with(in, right_over(0)); }}});
  };
  const int64_t n = draw(2, 5);
  check("three experts", n, numbers({2, 3}, 1));
  check("experts of another number", n, numbers({2, draw(4, 6)}, 1));
  check("three experts at one position", 1, numbers({2, 3}, 1));
  check("three experts with even gates", n, Tensor::zeros({2, 3}));
  check("one expert", n, numbers({2, 1}, 1));
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
