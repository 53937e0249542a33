#include "nn/nn.hpp"
#include "tests/support/test.hpp"

using namespace stepgrad;
using Catch::Matchers::EndsWith;

static std::string whole_message(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

#define CHECK_LINE(...)                           \
  CHECK_THAT(whole_message([&] { __VA_ARGS__; }), \
             EndsWith(" (at error_line_test.cpp:" + std::to_string(__LINE__) + ")"))

TEST_CASE("An op's error ends with the line that called it") {
  const Tensor x = Tensor::ones({2, 3}), row = Tensor::ones({4}), ids = Tensor::of({0, 7});
  const Tensors both{x, row};
  const Shape wide{2, 4};
  CHECK_LINE(matmul(x, x));
  CHECK_LINE(batched_matmul(x, row));
  CHECK_LINE(linear(x, x, row));
  CHECK_LINE(add(x, row));
  CHECK_LINE(mul(x, row));
  CHECK_LINE(div(x, row));
  CHECK_LINE(eq(x, row));
  CHECK_LINE(maximum(x, row));
  CHECK_LINE(minimum(x, row));
  CHECK_LINE(pow(x, row));
  CHECK_LINE(where(x, x, row));
  CHECK_LINE(x.clone().add_(row));
  CHECK_LINE(x.clone()[0] = row);
  CHECK_LINE(x.masked_fill(row, 0));
  CHECK_LINE(x[2]);
  CHECK_LINE(x.select(1, 3));
  CHECK_LINE(x.slice(0, 1, 5));
  CHECK_LINE(x.split(0));
  CHECK_LINE(x.chunk(0));
  CHECK_LINE(x.sum(2));
  CHECK_LINE(x.mean(-3));
  CHECK_LINE(x.var(2));
  CHECK_LINE(x.softmax(2));
  CHECK_LINE(x.log_softmax(2));
  CHECK_LINE(x.cumsum(2));
  CHECK_LINE(x.amax(2));
  CHECK_LINE(x.max(2));
  CHECK_LINE(x.argmax(2));
  CHECK_LINE(x.topk(4));
  CHECK_LINE(x.reshape(wide));
  CHECK_LINE(x.view(wide));
  CHECK_LINE(x.unsqueeze(4));
  CHECK_LINE(x.squeeze(2));
  CHECK_LINE(x.expand(wide));
  CHECK_LINE(x.repeat({2}));
  CHECK_LINE(x.transpose(0, 2));
  CHECK_LINE(x.permute({0}));
  CHECK_LINE(row.triu());
  CHECK_LINE(row.tril());
  CHECK_LINE(x.clamp(2, 1));
  CHECK_LINE(concat(both));
  CHECK_LINE(stack(both));
  CHECK_LINE(gather(x, 0, row));
  CHECK_LINE(embedding(x, ids));
  CHECK_LINE(one_hot(ids, 3));
  CHECK_LINE(cross_entropy(x, row));
  CHECK_LINE(cross_entropy(x, ids));
  CHECK_LINE(layer_norm(x, row, row));
  CHECK_LINE(x + Tensor());
  CHECK_LINE(mean(x.exp() + x.sum(1).reshape(wide)));  // an op within others
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
