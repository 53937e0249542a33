// What holds for every op. A new one needs a line in examples(), or the first test fails.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "ops/ops.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/gradcheck.hpp"

using namespace stepgrad;

namespace {

struct Example {
  const char* op;  // as its Formula says
  Function f;
  Tensors inputs;
};

std::vector<Example> examples() {
  const Tensor ids = Tensor::of({{2, 0, 2}, {1, 2, 2}}), mask = Tensor::of({0, 1, 0});
  const Tensor x = leaf({2, 3}, {-1, 0, 1}), row = leaf({3}, {0}), w = leaf({3, 4});
  const Tensor stack = leaf({2, 1, 2, 3}), stacks = leaf({3, 3, 2});
  return {
      {"add", [](Tensors in) { return add(in[0], in[1]); }, {x, row}},
      {"amax", [](Tensors in) { return amax(in[0], 1); }, {x}},
      {"batched_matmul", [](Tensors in) { return matmul(in[0], in[1]); }, {stack, stacks}},
      // Rounding is a staircase without a slope, but the difference of two such has one.
      {"bfloat16", [](Tensors in) { return in[0] + (bfloat16(in[0]) - bfloat16(in[0])); }, {x}},
      {"checkpoint", [](Tensors in) { return checkpoint(sigmoid, in[0]); }, {x}},
      {"clamp", [](Tensors in) { return clamp(in[0], -1, 1); }, {x}},
      {"clone", [](Tensors in) { return clone(in[0]); }, {x}},
      {"concat",
       [](Tensors in) {
         return concat({in[0], in[1], in[0]}, 1);
       },
       {x, leaf({2, 2})}},
      {"cross_entropy",
       [](Tensors in) { return cross_entropy(in[0], in[1]); },
       {x, Tensor::of({2, 0})}},
      {"div", [](Tensors in) { return div(in[0], in[1]); }, {x, row}},
      {"dropout_mask", [](Tensors in) { return in[0] * dropout_mask(in[0], Scalar(0.5)); }, {x}},
      {"embedding", [](Tensors in) { return embedding(in[0], in[1]); }, {w, ids}},
      {"erf", [](Tensors in) { return erf(in[0]); }, {x}},
      {"exp", [](Tensors in) { return exp(in[0]); }, {x}},
      {"expand",
       [](Tensors in) {
         return expand(in[0], {4, -1, 3});
       },
       {x}},
      {"fused_feed_forward",
       [](Tensors in) {
         return fused_feed_forward(in[0], in[1], in[2], in[3], in[4], Scalar(0.25));
       },
       {leaf({2, 3}), leaf({3, 4}), leaf({4}), leaf({4, 3}), leaf({3})}},
      {"gelu", [](Tensors in) { return gelu(in[0]); }, {x}},
      {"gelu_tanh", [](Tensors in) { return gelu_tanh(in[0]); }, {x}},
      {"half", [](Tensors in) { return in[0] + (half(in[0]) - half(in[0])); }, {x}},
      {"index_add",
       [](Tensors in) { return index_add(in[0], in[1], in[2]); },
       {leaf({3, 3}), Tensor::of({2, 0, 2}), leaf({3, 3})}},
      {"layer_norm",
       [](Tensors in) { return layer_norm(in[0], in[1], in[2]); },
       {x, row, leaf({3})}},
      {"linear", [](Tensors in) { return linear(in[0], in[1]); }, {x, leaf({4, 3})}},
      {"log", [](Tensors in) { return log(in[0] * in[0]); }, {x}},
      {"log_softmax", [](Tensors in) { return log_softmax(in[0]); }, {x}},
      {"masked_fill", [](Tensors in) { return masked_fill(in[0], in[1], 9); }, {x, mask}},
      {"matmul", [](Tensors in) { return matmul(in[0], in[1]); }, {x, w}},
      {"mean", [](Tensors in) { return mean(in[0], 0); }, {x}},
      {"mul", [](Tensors in) { return mul(in[0], in[1]); }, {x, row}},
      {"neg", [](Tensors in) { return neg(in[0]); }, {x}},
      {"permute",
       [](Tensors in) {
         return permute(in[0], {2, 0, 1});
       },
       {stacks}},
      {"pow", [](Tensors in) { return pow(in[0] * in[0], in[1]); }, {x, row}},
      {"relu", [](Tensors in) { return relu(in[0]); }, {x}},
      {"repeat",
       [](Tensors in) {
         return repeat(in[0], {2, 1, 3});
       },
       {x}},
      {"reshape",
       [](Tensors in) {
         return reshape(in[0], {3, -1});
       },
       {x}},
      {"sigmoid", [](Tensors in) { return sigmoid(in[0]); }, {x}},
      {"silu", [](Tensors in) { return silu(in[0]); }, {x}},
      {"slice", [](Tensors in) { return slice(in[0], 1, 1, 3); }, {x}},
      {"softmax", [](Tensors in) { return softmax(in[0]); }, {x}},
      {"sqrt", [](Tensors in) { return sqrt(in[0] * in[0] + 1); }, {x}},
      {"sub", [](Tensors in) { return sub(in[0], in[1]); }, {x, row}},
      {"sum", [](Tensors in) { return sum(in[0], -1); }, {x}},
      {"tanh", [](Tensors in) { return tanh(in[0]); }, {x}},
      {"triu", [](Tensors in) { return triu(in[0], 1); }, {x}},
      {"where", [](Tensors in) { return where(in[2], in[0], in[1]); }, {x, row, mask}},
  };
}

// The names in the Formulas of ops/*.cpp.
std::set<std::string> ops_in_sources() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator("ops")) {
    std::ifstream file(entry.path());
    const std::string source(std::istreambuf_iterator<char>(file), {});
    const std::string before = "Formula formula{\"";
    for (size_t at = 0; (at = source.find(before, at)) != std::string::npos;) {
      at += before.size();
      names.insert(source.substr(at, source.find('"', at) - at));
    }
  }
  return names;
}

// The ops that y was computed by.
std::set<std::string> ops_behind(const Tensor& y) {
  std::set<std::string> names;
  for (const Node* node : reachable(y)) {
    names.insert(node->op());
    for (const Input* in = node->inputs; in; in = in->next) {
      if (in->node) names.insert(in->node->op());
    }
  }
  return names;
}

}  // namespace

TEST_CASE("Every op in ops/ has an example here") {
  std::set<std::string> names;
  for (const Example& example : examples()) {
    CHECK(ops_behind(example.f(example.inputs)).count(example.op) == 1);
    names.insert(example.op);
  }
  CHECK(names == ops_in_sources());
}

TEST_CASE("Every op has the gradients of central differences") {
  for (const Example& example : examples()) gradcheck(example.f, example.inputs);
}
