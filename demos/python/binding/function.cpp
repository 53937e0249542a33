// torch.autograd.Function: an op whose forward and gradient are written in Python.
#include <pybind11/stl.h>

#include <deque>
#include <map>
#include <optional>

#include "core/check.hpp"
#include "core/tape/record.hpp"
#include "demos/python/binding/owned_object.hpp"
#include "demos/python/binding/tensor.hpp"
#include "ops/ops.hpp"

namespace stepgrad::python {
namespace {

// A class's formula with its name. Never freed, since nodes refer to it.
const Formula& formula_of(const std::string& name) {
  static auto& formulas = *new std::map<std::string, Formula>;
  auto [found, added] = formulas.try_emplace(name, "", "", "");
  if (added) found->second = {found->first.c_str(), "Y = forward(X...)", "dX... = backward(dY)"};
  return found->second;
}

// Y = forward(X...)      dX... = backward(dY)      both in Python
// Several outputs are parts of Y, concatenated.
struct FunctionBackward final : Node {
  struct Output {
    Shape shape;
    Dtype dtype;
    int64_t begin;
    bool arrived;  // whether this pass has a gradient for it
  };

  FunctionBackward(const std::string& name, py::object call) : Node(formula_of(name)), call(std::move(call)) {
    this->call.by(this);
  }
  void backward(Tensor dY) override {
    const py::gil_scoped_acquire gil;
    const bool recorded = grad_enabled();
    py::list kept, dYs;
    for (Saved& saved : saves) {
      const auto& [dtype, part] = of_saves[kept.size()];
      const Tensor x = take(saved);
      kept.append(TypedTensor{part ? as_output(*part, x) : with_history(*this, saved, x), dtype});
    }
    for (Output& part : outputs) {
      const bool arrived = std::exchange(part.arrived, false) || outputs.size() == 1;
      const int64_t end = part.begin + part.shape.numel();
      const Tensor dy = outputs.size() == 1 ? dY
          : recorded                        ? reshape(slice(dY, 0, part.begin, end), part.shape)
                                            : dY.part(part.begin, part.shape).copied();
      dYs.append(arrived ? py::cast(as_gradient(part.dtype, dy)) : py::none());
    }
    const py::list dXs = call->attr("backward")(dYs, kept);
    auto dX = dXs.begin();
    for (const Input& input : edges) {  // dX... = backward(dY)
      const py::handle g = *dX++;
      if (!input || g.is_none()) continue;
      const Tensor& dx = g.cast<const TypedTensor&>().tensor;
      input.add_grad(recorded ? dx : dx.copied());
    }
  }
  bool has_second_gradient() const override { return true; }  // Python's backward() consists of ops
  Tensor recompute(Inputs inputs) const override {
    const py::gil_scoped_acquire gil;
    py::list xs;
    for (const Tensor& x : inputs) xs.append(TypedTensor{x, of_inputs[xs.size()]});
    return end_to_end(call->attr("forward_again")(*xs).cast<std::vector<TypedTensor>>());
  }
  static Tensor end_to_end(const std::vector<TypedTensor>& outputs) {
    if (outputs.size() == 1) return outputs[0].tensor.off_tape();
    Tensors parts;
    for (const TypedTensor& y : outputs) parts.push_back(reshape(y.tensor.off_tape(), {-1}));
    return concat(parts, 0);
  }
  Tensor as_output(size_t i, const Tensor& y);  // y with the history of one of several outputs

  OwnedObject call;  // of a class _Call, see function.py
  std::deque<Input> edges;
  std::deque<Saved> saves;
  std::vector<Dtype> of_inputs;
  // And which of several outputs it is, if any.
  std::vector<std::pair<Dtype, std::optional<size_t>>> of_saves;
  std::vector<Output> outputs;
};

// Y = X[part]
// dX[part] = dY
struct FunctionOutputBackward final : Node {
  static constexpr Formula formula{"function_output", "Y = X[part]", "dX[part] = dY"};
  explicit FunctionOutputBackward(size_t i) : Node(formula), i(i) {}
  void backward(Tensor dY) override {
    const Tensor dX = Tensor::zeros(x.shape);
    std::copy_n(dY.data(), dY.numel(), dX.data() + arrived_at());  // dX[part] = dY
    x.add_grad(dX);
  }
  void backward_by_ops(Tensor dY) override {
    const int64_t begin = arrived_at(), n = dY.numel();
    x.add_grad(concat({Tensor::zeros({begin}), reshape(dY, {-1}), Tensor::zeros({x.shape.numel() - begin - n})}, 0));
  }
  // Where the part begins in X, which now has a gradient for it.
  int64_t arrived_at() {
    FunctionBackward::Output& part = static_cast<FunctionBackward&>(*x.node).outputs[i];
    part.arrived = true;
    return part.begin;
  }
  bool has_second_gradient() const override { return true; }
  Input x{this};
  size_t i;
};

Tensor FunctionBackward::as_output(size_t i, const Tensor& y) {
  Ref<FunctionOutputBackward> node(new FunctionOutputBackward(i));
  node->x.node = Ref<Node>(this);
  node->x.shape = shape;
  node->loc = loc;
  return y.detach_to(std::move(node));
}

// The input whose memory y shares, if any.
const TypedTensor* input_of(const TypedTensor& y, const std::vector<TypedTensor>& inputs) {
  const auto* storage = base_of(y).storage().get();
  const auto found = std::find_if(
      inputs.begin(), inputs.end(), [&](const TypedTensor& x) { return base_of(x).storage().get() == storage; });
  return found == inputs.end() ? nullptr : &*found;
}

// Makes `outputs`, computed from `inputs` without recording, the outputs of a node `name`. A dirty
// one is an input, which becomes the output in place. The others share their numbers with the
// results, but not the history: whoever keeps those does not keep the node.
std::vector<TypedTensor> record_function(const std::string& name, const py::object& call,
    const std::vector<TypedTensor>& inputs, const std::vector<TypedTensor>& saved,
    const std::vector<TypedTensor>& outputs, const std::vector<bool>& dirty) {
  Ref<FunctionBackward> node(new FunctionBackward(name, call));
  std::vector<const Tensor*> operands;
  for (const TypedTensor& x : inputs) {
    operands.push_back(&x.tensor);
    node->edges.emplace_back(node.get());
    node->of_inputs.push_back(x.dtype);
  }
  const Loc loc = python_line();
  connect(*node, operands, loc);
  int64_t begin = 0;
  for (const TypedTensor& y : outputs) {
    node->outputs.push_back({y.tensor.shape(), y.dtype, begin, false});
    begin += y.tensor.numel();
  }
  FunctionBackward& function = *node;
  const Tensor all = on_tape(FunctionBackward::end_to_end(outputs), std::move(node));
  std::vector<TypedTensor> results;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const TypedTensor& y = outputs[i];
    Tensor result = all;
    if (outputs.size() > 1) {
      const Tensor* const whole[] = {&all};
      result = on_tape(y.tensor.off_tape(), record<FunctionOutputBackward>(whole, loc, i));
    }
    if (dirty[i]) {
      write_in_place(name.c_str(), y, result);
      results.push_back(y);
      continue;
    }
    y.tensor.set_detached(true);
    const TypedTensor* input = input_of(y, inputs);
    results.push_back(input ? view_of(*input, layout_of(y), result) : TypedTensor{result});
    results.back().dtype = y.dtype;
    if (input) mark_as(results.back(), Made::function);
  }
  static constexpr const char* letters[] = {"saved0", "saved1", "saved2", "saved3", "saved"};
  for (const TypedTensor& x : saved) {  // at the current version of dirty tensors
    const auto is_x = [&x](const TypedTensor& other) { return other.tensor.is(x.tensor); };
    const auto input = std::find_if(inputs.begin(), inputs.end(), is_x);
    const auto output = std::find_if(outputs.begin(), outputs.end(), is_x);
    const Input* edge = nullptr;
    const char* letter = letters[std::min<size_t>(function.saves.size(), 4)];
    std::optional<size_t> part;
    if (output != outputs.end()) {
      letter = "Y";
      if (outputs.size() > 1) part = size_t(output - outputs.begin());
    } else if (input != inputs.end()) {
      edge = &function.edges[size_t(input - inputs.begin())];
    }
    Saved& saves = function.saves.emplace_back(&function, letter, edge);
    saves = x.tensor;
    // With the graph that forward built under enable_grad, which does not lead to this node.
    if (!edge && output == outputs.end()) static_cast<Tensor&>(saves) = x.tensor;
    function.of_saves.emplace_back(x.dtype, part);
  }
  pack_saved(function);
  return results;
}

}

const Node* function_of(const Node& node) {
  if (dynamic_cast<const FunctionOutputBackward*>(&node)) return node.inputs->node.get();
  return dynamic_cast<const FunctionBackward*>(&node);
}

py::object call_of(const Node& node) {
  const auto* function = dynamic_cast<const FunctionBackward*>(&node);
  return function ? *function->call : py::none();
}

void bind_function(py::module_& module) { module.def("_record_function", &record_function); }

}
