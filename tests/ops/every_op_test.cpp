// Properties of every op.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "core/trace/sums.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/test.hpp"

namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string rules_of_pages() {
  std::string rules;
  for (const char* of : {"each", "pairs", "places", "products", "sums"})
    rules += text_of(std::string("core/trace/page/model/rules_") + of + ".js");
  return rules;
}

// The names in the Formulas of ops/*.cpp, and in the table of ops/functions.cpp.
std::set<std::string> ops_in_sources() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator("ops")) {
    static const std::regex name(R"((?:Formula formula\{\s*"|\nEACH\w*\()(\w+))");
    const std::string source = text_of(entry.path());
    for (std::sregex_iterator found(source.begin(), source.end(), name), end; found != end; ++found)
      names.insert((*found)[1]);
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

}

TEST_CASE("Every op has an example, PyTorch's numbers, and a rule of the page") {
  std::set<std::string> examples;
  for (const OpExample& example : OpExample::all()) {
    examples.insert(example.op);
    if (ops_behind(example.f(example.inputs())).count(example.op) == 0)
      FAIL_CHECK("the OpExample of " << example.op << " records no op of that name");
  }
  const std::string rules = rules_of_pages();
  for (const std::string& op : ops_in_sources()) {
    if (examples.count(op) == 0)
      FAIL_CHECK(op << " has no OpExample, which compares its gradient with central differences: "
                       "see tests/ops/neg_test.cpp");
    if (Golden::entries().count("ops/" + op) == 0)
      FAIL_CHECK(op << " is not compared with PyTorch's numbers: run "
                       "/usr/bin/python3 tests/golden/generate.py");
    const Formula* formula = formula_named(op);
    if (!(formula && (formula->recompute.of_each_element || is_sum(*formula))) &&
        rules.find("\n\t" + op + ": ") == std::string::npos)
      FAIL_CHECK(op << " shows nothing but its formula on a page: core/trace/page/model/rules_*.js has no "
                       "rule of it, and its Formula says no sum");
  }
}

TEST_CASE("No op is recorded of inputs that require no gradient") {
  for (const OpExample& example : OpExample::all()) {
    Tensors x = example.inputs();
    for (Tensor& each : x) each = each.detach();
    INFO(example.op);
    if (example.op != "checkpoint")  // whose function may have leaves of its own
      CHECK_FALSE(example.f(x).requires_grad());
  }
}

TEST_CASE("Every op has the gradients of central differences") {
  for (const OpExample& example : OpExample::all()) {
    INFO(example.op);
    gradcheck(example.f, example.inputs());
  }
}

TEST_CASE("Every op of each element has them for tensors of any shape") {
  for (const OpExample& example : OpExample::all()) {
    if (!example.of_each_element) continue;
    INFO(example.op);
    for (const Shape& shape : some_shapes()) gradcheck(example.f, {leaf(shape, example.kinks)});
  }
}

TEST_CASE("Every op is recomputed from its name, inputs and attributes alone") {
  const std::set<std::string> of_more{"checkpoint", "fused_attention", "fused_feed_forward"};
  const KeepLedger ledger;
  for (const OpExample& example : OpExample::all()) {
    const Tensor y = example.f(example.inputs());
    for (const Node* node : recorded(y)) {
      INFO(node->op() << ", of the example for " << example.op);
      if (!node->formula.recompute) {
        if (of_more.count(node->op()) == 0)
          FAIL_CHECK(node->op() << " cannot be recomputed: its Formula has no recompute");
        continue;
      }
      const Formula* formula = formula_named(node->op());
      REQUIRE(formula == &node->formula);
      Tensors inputs = node->ledger->operands;
      size_t i = 0;
      for (const Input* in = node->inputs; in; in = in->next, ++i)
        if (!inputs[i].defined()) inputs[i] = in->node->ledger->value;
      const NoGrad no_grad;
      const Tensor again = formula->recompute(inputs, node->attributes());
      CHECK(again.shape() == node->shape);
      CHECK(again.to_vector() == node->ledger->value.to_vector());
    }
  }
}

TEST_CASE("OpExamples have PyTorch's values and gradients, recorded or not") {
  const Tensor k = arange(-4., 5.), grid = k * abs(k);  // as in tests/golden
  const bool create_graph = GENERATE(false, true);
  for (const OpExample& example : OpExample::all()) {
    if (Golden::entries().count("ops/" + example.op) == 0) continue;  // the test above says so
    Tensors x = example.inputs();
    if (create_graph && !example.differentiates_twice()) continue;
    Golden torch("ops/" + example.op, 2e-6);
    for (Tensor& each : x) {
      if (!each.requires_grad()) continue;
      each = (example.of_each_element ? grid.clone() : drawn(each.shape())).requires_grad_();
    }
    const Tensor y = example.f(x);
    torch.next("y", y);
    y.backward(drawn(y.shape()), create_graph, create_graph);
    for (const Tensor& each : x)
      if (each.requires_grad()) torch.next("a gradient", each.grad());
    torch.ends();
  }
}
