#include "nn/nn.hpp"
#include "tests/support/test.hpp"

using namespace stepgrad;

static std::string whole_message(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST_CASE("An op's error ends with the line that called it") {
  const Tensor x = Tensor::ones({2, 3}), row = Tensor::ones({4}), ids = Tensor::of({0, 7});
  const Tensors both{x, row};
  const Shape wide{2, 4};
  struct Mistake {
    int line;
    std::function<void()> make;
  };
  const Mistake mistakes[] = {
      {__LINE__, [&] { matmul(x, x); }},
      {__LINE__, [&] { batched_matmul(x, row); }},
      {__LINE__, [&] { linear(x, x, row); }},
      {__LINE__, [&] { add(x, row); }},
      {__LINE__, [&] { mul(x, row); }},
      {__LINE__, [&] { div(x, row); }},
      {__LINE__, [&] { eq(x, row); }},
      {__LINE__, [&] { maximum(x, row); }},
      {__LINE__, [&] { minimum(x, row); }},
      {__LINE__, [&] { pow(x, row); }},
      {__LINE__, [&] { where(x, x, row); }},
      {__LINE__, [&] { x.clone().add_(row); }},
      {__LINE__, [&] { x.clone()[0] = row; }},
      {__LINE__, [&] { x.masked_fill(row, 0); }},
      {__LINE__, [&] { x[2]; }},
      {__LINE__, [&] { x.select(1, 3); }},
      {__LINE__, [&] { x.slice(0, 1, 5); }},
      {__LINE__, [&] { x.split(0); }},
      {__LINE__, [&] { x.chunk(0); }},
      {__LINE__, [&] { x.sum(2); }},
      {__LINE__, [&] { x.mean(-3); }},
      {__LINE__, [&] { x.var(2); }},
      {__LINE__, [&] { x.softmax(2); }},
      {__LINE__, [&] { x.log_softmax(2); }},
      {__LINE__, [&] { x.cumsum(2); }},
      {__LINE__, [&] { x.amax(2); }},
      {__LINE__, [&] { x.max(2); }},
      {__LINE__, [&] { x.argmax(2); }},
      {__LINE__, [&] { x.topk(4); }},
      {__LINE__, [&] { x.reshape(wide); }},
      {__LINE__, [&] { x.view(wide); }},
      {__LINE__, [&] { x.unsqueeze(4); }},
      {__LINE__, [&] { x.squeeze(2); }},
      {__LINE__, [&] { x.expand(wide); }},
      {__LINE__, [&] { x.repeat({2}); }},
      {__LINE__, [&] { x.transpose(0, 2); }},
      {__LINE__, [&] { x.permute({0}); }},
      {__LINE__, [&] { row.triu(); }},
      {__LINE__, [&] { row.tril(); }},
      {__LINE__, [&] { x.clamp(2, 1); }},
      {__LINE__, [&] { concat(both); }},
      {__LINE__, [&] { stack(both); }},
      {__LINE__, [&] { gather(x, 0, row); }},
      {__LINE__, [&] { embedding(x, ids); }},
      {__LINE__, [&] { one_hot(ids, 3); }},
      {__LINE__, [&] { cross_entropy(x, row); }},
      {__LINE__, [&] { cross_entropy(x, ids); }},
      {__LINE__, [&] { layer_norm(x, row, row); }},
      {__LINE__, [&] { x + Tensor(); }},
      {__LINE__, [&] { mean(x.exp() + x.sum(1).reshape(wide)); }},  // an op within others
  };
  for (const Mistake& mistake : mistakes) {
    const std::string said = whole_message(mistake.make);
    INFO(said);
    CHECK(said.ends_with(" (at error_line_test.cpp:" + std::to_string(mistake.line) + ")"));
  }
}

TEST_CASE("A module's error names its line and the one that called the module") {
  nn::Linear layer(3, 8);
  layer.weight = Tensor::ones({3});
  const Tensor x = Tensor::ones({2, 3});
  const std::string here = "error_line_test.cpp:" + std::to_string(__LINE__ + 1) + ")";
  const std::string said = whole_message([&] { layer(x); });
  CHECK(said.find(" (at linear.cpp:") != std::string::npos);
  CHECK(said.ends_with(", from " + here));
  const nn::PositionwiseFeedForward ffn(2, 8);
  CHECK(whole_message([&] { ffn(x); }) == "Last dim must be d_model.");  // the notebook's words
}

TEST_CASE("An error outside of ops names no line") {
  const Tensor x = Tensor::ones({2, 3});
  whole_message([&] { matmul(x, x); });
  x.exp();
  CHECK(whole_message([&] { x.size(2); }) == "size: [2, 3] has no dimension 2");
  CHECK(whole_message([] { Tensor::zeros({-1}); }) == "empty: [-1] has a negative size");
}
