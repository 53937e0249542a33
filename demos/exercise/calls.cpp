// NAME TOKEN: calls the student's function as torch/checks.py asks, which judges what it returns.
// Each line of standard input is a request: a count and numbers, a count and tensors. Its answer is
// a line that begins with the token and the request's number; others are the student's own output.
// Without a token, as in a debugger, there are no answers.
#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>

#include "demos/exercise/exercise.hpp"

namespace stepgrad::exercise {
namespace {

using Numbers = std::vector<double>;

struct Answer {
  Tensors tensors;
  std::string text;
};
using Call = std::function<Answer(const Tensors& in, const Numbers& numbers)>;

using Function = std::function<Tensor(const Tensors& in, const Numbers& numbers)>;

// f of as many tensors as it takes.
template <class... Args>
Function of(Tensor (*f)(Args...)) {
  return [f](const Tensors& in, const Numbers&) {
    return [&]<size_t... i>(std::index_sequence<i...>) { return f(in[i]...); }
    (std::index_sequence_for<Args...>());
  };
}

Call value(const Function& f) {
  return [f](const Tensors& in, const Numbers& numbers) { return Answer{{f(in, numbers)}, ""}; };
}

// y = f(in), the inputs afterwards, their gradients for dY; and the op that y comes from. A request
// ends with dY; before it stands a tensor that has no gradient, if `extra`.
Call differentiated(const Function& f, bool extra = false) {
  return [=](Tensors in, const Numbers& numbers) {
    const Tensor dY = in.back();
    const auto leaves = in.end() - 1 - extra;
    std::for_each(in.begin(), leaves, [](const Tensor& x) { x.requires_grad_(); });
    const Tensor y = f(in, numbers);
    Answer answer{{y}, ""};
    if (y.defined() && y.requires_grad()) {
      answer.text = y.node()->op();
      if (y.shape() == dY.shape()) y.backward(dY);
    }
    std::for_each(in.begin(), leaves, [&](auto& x) { answer.tensors.push_back(x.detach()); });
    std::for_each(in.begin(), leaves, [&](auto& x) { answer.tensors.push_back(x.grad()); });
    return answer;
  };
}

// x -> scale · tanh(x·w), so that sublayers differ.
Part sublayer(const Tensor& w, Scalar scale) {
  return [=](Tensor x) { return tanh(matmul(x, w)) * scale; };
}

Tensor call_block(const Tensors& in, const Numbers&) {
  const bool whole = in.size() == 6;
  return block(in[0], sublayer(in[1], 0.5f), whole ? sublayer(in[3], 0.7f) : Part(), sublayer(in[2], 0.9f),
      sublayer(in[whole ? 4 : 2], 1.1f));
}

Tensor call_mixture(const Tensors& in, const Numbers&) {
  std::vector<Part> experts;
  for (size_t e = 2; e + 1 < in.size(); ++e) experts.push_back(sublayer(in[e], Scalar(e)));
  return mixture(in[0], in[1], experts);
}

Answer call_sgd_step(const Tensors& in, const Numbers& numbers) {
  const Tensors all{in[0], in[1], in[2]};
  for (const Tensor& p : all) p.requires_grad_();
  in[0].set_grad(in[3]), in[2].set_grad(in[4]);
  sgd_step(all, Scalar(numbers[0]));
  const auto leaves =
      std::count_if(all.begin(), all.end(), [](const Tensor& p) { return p.is_leaf() && p.requires_grad(); });
  return {{in[0], in[1], in[2], in[0].grad(), in[2].grad()}, std::to_string(leaves)};
}

Answer call_overfit(const Tensors& in, const Numbers&) {
  const Tensors weights(in.begin() + 2, in.end());
  for (const Tensor& w : weights) w.requires_grad_();
  int calls = 0;
  const auto learns = [&](Tensor x) {
    ++calls;
    return x + matmul(tanh(matmul(x, weights[0]) + weights[1]), weights[2]) + weights[3];
  };
  overfit(learns, weights, in[0], in[1]);
  return {in, std::to_string(calls)};
}

Answer call_find_the_nan(const Tensors& in, const Numbers& numbers) {
  return in.empty() ? Answer{{}, first_not_finite()} : differentiated(of(lengths))(in, numbers);
}

Answer call_hidden_size(const Tensors&, const Numbers& numbers) {
  const auto d_model = int64_t(numbers[0]), d_ff = int64_t(numbers[1]);
  return {{}, std::to_string(parameters(d_model, d_ff)) + ' ' + std::to_string(swiglu_width(d_model, d_ff))};
}

Tensor call_mul(const Tensors& in, const Numbers&) { return my_mul(in[0], in[in.size() - 2]); }
Tensor call_dropout(const Tensors& in, const Numbers& numbers) {
  return drop(in[0], in[1], Scalar(numbers[0]), numbers[1] != 0);
}
Tensor call_summed_to(const Tensors& in, const Numbers& numbers) {
  return summed_to(in[0], Shape(std::vector<int64_t>(numbers.begin(), numbers.end())));
}
Tensor call_decoder_mask(const Tensors&, const Numbers& numbers) { return decoder_mask(int64_t(numbers[0])); }
Tensor call_sequence_wise(const Tensors& in, const Numbers&) { return sequence_wise(in[0], sublayer(in[1], 2)); }

struct Exercise {
  template <class... F>
  Exercise(Call call, F*... functions) : call(call), there((functions && ...)) {}
  Call call;
  bool there;  // whether the student's file defines its functions
};

const std::map<std::string, Exercise> exercises{
    {"mul_backward", {differentiated(call_mul), my_mul}},
    {"used_twice", {differentiated(of(my_residual)), my_residual}},
    {"matmul_backward", {differentiated(of(my_matmul)), my_matmul}},
    {"add_backward", {value(call_summed_to), summed_to}},
    {"relu_backward", {differentiated(of(my_relu)), my_relu}},
    {"dropout", {differentiated(call_dropout, true), drop}},
    {"feed_forward", {differentiated(of(feed_forward)), feed_forward}},
    {"sgd_step", {call_sgd_step, sgd_step}},
    {"find_the_nan", {call_find_the_nan, first_not_finite, lengths}},
    {"softmax_backward", {differentiated(of(my_softmax)), my_softmax}},
    {"decoder_mask", {value(call_decoder_mask), decoder_mask}},
    {"attention", {differentiated(of(attention), true), attention}},
    {"layer_norm_backward", {differentiated(of(my_layer_norm)), my_layer_norm}},
    {"no_feed_forward", {differentiated(call_block), block}},
    {"sequence_wise", {differentiated(call_sequence_wise), sequence_wise}},
    {"overfit", {call_overfit, overfit}},
    {"gated_feed_forward", {differentiated(of(swiglu)), swiglu}},
    {"hidden_size", {call_hidden_size, parameters, swiglu_width}},
    {"mixture_of_experts", {differentiated(call_mixture), mixture}},
};

// A tensor: its number of sizes, its sizes, its values. -1: undefined.
Tensor read_tensor(std::istream& in) {
  int dims = 0;
  in >> dims;
  if (dims < 0) return {};
  std::vector<int64_t> sizes(size_t(dims), 0);
  for (int64_t& size : sizes) in >> size;
  Tensor x = Tensor::empty(Shape(sizes));
  for (int64_t i = 0; i < x.numel(); ++i) in >> x.data()[i];
  return x;
}

std::string text_of(const Tensor& x) {
  if (!x.defined()) return " -1";
  if (x.numel() > 100'000) throw std::length_error("the result is much too large");
  std::string text = ' ' + std::to_string(x.dim());
  for (const int64_t size : x.shape()) text += ' ' + std::to_string(size);
  char value[32];
  for (int64_t i = 0; i < x.numel(); ++i) {
    std::snprintf(value, sizeof value, " %.9g", double{x.data()[i]});
    text += value;
  }
  return text;
}

// "is", the number of tensors, the tensors and the text; or "fails" and a sentence.
std::string answer_to(const Exercise& exercise, const std::string& request) {
  if (!exercise.there) return "fails the function that the exercise asks for is not there";
  std::istringstream in(request);
  size_t count = 0;
  in >> count;
  Numbers numbers(count);
  for (double& number : numbers) in >> number;
  in >> count;
  Tensors tensors;
  for (size_t i = 0; i < count; ++i) tensors.push_back(read_tensor(in));
  try {
    const Answer answer = exercise.call(tensors, numbers);
    std::string text = "is " + std::to_string(answer.tensors.size());
    for (const Tensor& x : answer.tensors) text += text_of(x);
    return text + ' ' + answer.text;
  } catch (const std::exception& error) {
    return std::string("fails ") + error.what();
  } catch (...) {
    return "fails it throws something";
  }
}

}
}

int main(int argc, char** argv) {
  using namespace stepgrad::exercise;
  if (argc < 2) return 2;
  std::vector<std::string> requests;
  for (std::string line; std::getline(std::cin, line);) requests.push_back(line);
  for (size_t i = 0; i < requests.size(); ++i) {
    std::string answer = answer_to(exercises.at(argv[1]), requests[i]);
    std::replace(answer.begin(), answer.end(), '\n', ' ');
    if (argc > 2) std::cout << '\n' << argv[2] << ' ' << i + 1 << ' ' << answer << std::endl;
  }
}
