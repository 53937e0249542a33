// How each op is computed once more, from inputs of which paranoid mode has moved one element. What
// draws random numbers, rounds, or runs a function of the reader's is not here.
#include <algorithm>
#include <map>

#include "core/check.hpp"
#include "core/watch/paranoid.hpp"
#include "ops/ops.hpp"

namespace stepgrad {
namespace {

using Inputs = std::span<const Tensor>;

double attribute(const Node& node, std::string_view name, size_t i = 0) {
  for (const Attribute& attribute : node.attributes())
    if (attribute.name == name) return attribute.values.at(i);
  fail<ValueError>(node.op(), " says no ", name);
}

bool has(const Node& node, std::string_view name) {
  for (const Attribute& attribute : node.attributes())
    if (attribute.name == name) return true;
  return false;
}

int dim_of(const Node& node) { return static_cast<int>(attribute(node, "dim")); }

Tensor saved(const Node& node, std::string_view letter) {
  const Saved* saved = node.saved;
  while (saved && saved->letter != letter) saved = saved->next;
  return saved ? saved->detach() : Tensor();
}

// The dimensions that a reduction reduced: those that it left at size 1.
Dims reduced_dims(const Node& node) {
  std::vector<int> dims;
  for (int dim = 0; dim < node.inputs->shape.dims(); ++dim)
    if (attribute(node, "kept", dim) == 1) dims.push_back(dim);
  return Dims(dims);
}

template <Tensor (*op)(Arg)>
Tensor of_one(const Node&, Inputs x) {
  return op(x[0]);
}

template <Tensor (*op)(Arg, Arg)>
Tensor of_two(const Node&, Inputs x) {
  return op(x[0], x[1]);
}

// Y = value where M ≠ 0, else X: the value is read off what the op made.
Tensor masked_fill_again(const Node& node, Inputs x) {
  const Tensor M = expand(saved(node, "M"), node.shape);
  const Tensor& y = node.ledger->value;
  for (int64_t i = 0; i < M.numel(); ++i)
    if (M.data()[i] != 0) return masked_fill(x[0], M, y.data()[i]);
  return masked_fill(x[0], M, 0);
}

Tensor permute_again(const Node& node, Inputs x) {
  std::vector<int> order;
  for (int dim = 0; dim < node.shape.dims(); ++dim)
    order.push_back(static_cast<int>(attribute(node, "order", dim)));
  return permute(x[0], Dims(order));
}

// Undefined for a slice of several dimensions at once, which is not from ops/slice.cpp.
Tensor slice_again(const Node& node, Inputs x) {
  if (!has(node, "begin")) return {};
  const auto begin = static_cast<int64_t>(attribute(node, "begin"));
  return slice(x[0], dim_of(node), begin, begin + node.shape[dim_of(node)]);
}

Tensor repeat_again(const Node& node, Inputs x) {
  Shape times = node.shape;
  const int more = node.shape.dims() - x[0].dim();
  for (int dim = more; dim < node.shape.dims(); ++dim)
    times = times.with(dim, node.shape[dim] / std::max<int64_t>(1, x[0].size(dim - more)));
  return repeat(x[0], times);
}

Tensor std_again(const Node& node, Inputs x) {
  const Dims dims = reduced_dims(node);
  const int64_t each = x[0].numel() / std::max<int64_t>(1, node.shape.numel());
  const auto correction = each - static_cast<int64_t>(attribute(node, "degrees"));
  return stddev(x[0], dims, true, correction).reshape(node.shape);
}

Tensor cross_entropy_again(const Node& node, Inputs x) {
  return cross_entropy(x[0], x[1], static_cast<int64_t>(attribute(node, "ignore")),
                       static_cast<Scalar>(attribute(node, "smoothing")));
}

std::map<std::string, Again>& known() {
  static std::map<std::string, Again>& ops = *new std::map<std::string, Again>{
      {"abs", of_one<abs>},
      {"add", of_two<add>},
      {"amax",
       [](auto& node, Inputs x) { return amax(x[0], dim_of(node), true).reshape(node.shape); }},
      {"batched_matmul", of_two<batched_matmul>},
      {"clamp",
       [](auto& node, Inputs x) {
         return clamp(x[0], static_cast<Scalar>(attribute(node, "lo")),
                      static_cast<Scalar>(attribute(node, "hi")));
       }},
      {"clone", [](auto&, Inputs x) { return x[0].clone(); }},
      {"concat",
       [](auto& node, Inputs x) {
         return concat({x.begin(), x.end()}, dim_of(node));
       }},
      {"cross_entropy", cross_entropy_again},
      {"cumsum", [](auto& node, Inputs x) { return cumsum(x[0], dim_of(node)); }},
      {"div", of_two<div>},
      {"embedding", [](auto& node, Inputs x) { return embedding(x[0], saved(node, "ids")); }},
      {"erf", of_one<erf>},
      {"exp", of_one<exp>},
      {"expand", [](auto& node, Inputs x) { return expand(x[0], node.shape); }},
      {"gather", [](auto& node, Inputs x) { return gather(x[0], dim_of(node), saved(node, "I")); }},
      {"gelu", of_one<gelu>},
      {"gelu_tanh", of_one<gelu_tanh>},
      {"index_add", [](auto& node, Inputs x) { return index_add(x[0], saved(node, "ids"), x[1]); }},
      {"layer_norm",
       [](auto& node, Inputs x) {
         return layer_norm(x[0], x[1], x[2], static_cast<Scalar>(attribute(node, "eps")));
       }},
      {"linear", of_two<linear>},
      {"log", of_one<log>},
      {"log_softmax", [](auto&, Inputs x) { return log_softmax(x[0]); }},
      {"masked_fill", masked_fill_again},
      {"matmul", of_two<matmul>},
      {"maximum", of_two<maximum>},
      {"mean",
       [](auto& node, Inputs x) { return mean(x[0], reduced_dims(node), true).reshape(node.shape); }},
      {"mul", of_two<mul>},
      {"neg", of_one<neg>},
      {"permute", permute_again},
      {"pow", of_two<pow>},
      {"relu", of_one<relu>},
      {"repeat", repeat_again},
      {"reshape", [](auto& node, Inputs x) { return x[0].reshape(node.shape); }},
      {"sigmoid", of_one<sigmoid>},
      {"silu", of_one<silu>},
      {"slice", slice_again},
      {"softmax", [](auto&, Inputs x) { return softmax(x[0]); }},
      {"sqrt", of_one<sqrt>},
      {"std", std_again},
      {"sub", of_two<sub>},
      {"sum",
       [](auto& node, Inputs x) { return sum(x[0], reduced_dims(node), true).reshape(node.shape); }},
      {"tanh", of_one<tanh>},
      {"triu",
       [](auto& node,
          Inputs x) { return triu(x[0], static_cast<int64_t>(attribute(node, "diagonal"))); }},
      {"where", [](auto& node, Inputs x) { return where(saved(node, "M"), x[0], x[1]); }},
  };
  return ops;
}

}  // namespace

const Again* again_for(const std::string& op) {
  const auto found = known().find(op);
  return found == known().end() ? nullptr : &found->second;
}

void computes_again(const std::string& op, Again again) { known()[op] = std::move(again); }

}  // namespace stepgrad
