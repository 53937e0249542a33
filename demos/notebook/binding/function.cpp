// torch.autograd.Function: an op whose forward and gradient are Python's.
#include <pybind11/stl.h>

#include <deque>
#include <map>

#include "core/check.hpp"
#include "core/tape/record.hpp"
#include "demos/notebook/binding/tensor.hpp"
#include "ops/ops.hpp"

namespace stepgrad::python {
namespace {

// A class's formula, under its name. It lives for ever, as nodes want it.
const Formula& formula_of(const std::string& name) {
  static auto& formulas = *new std::map<std::string, Formula>;
  auto [found, added] = formulas.try_emplace(name);
  if (added) found->second = {found->first.c_str(), "Y = forward(X...)", "dX... = backward(dY)"};
  return found->second;
}

// Y = forward(X...), both in Python
// dX... = backward(dY)
struct FunctionBackward final : Node {
  FunctionBackward(const std::string& name, py::object call, py::object forward, Dtype dtype)
      : Node(formula_of(name)),
        python(new Python{std::move(call), std::move(forward)}),
        dtype(dtype) {}
  ~FunctionBackward() override {
    if (!Py_IsInitialized()) return;
    const py::gil_scoped_acquire gil;
    delete python;
  }
  void backward(Tensor dY) override {
    const py::gil_scoped_acquire gil;
    py::list kept;
    for (Saved& saved : saves) kept.append(TypedTensor{take(saved), of_saves[kept.size()]});
    const py::list dXs = python->backward(as_gradient(dtype, std::move(dY)), py::tuple(kept));
    auto dX = dXs.begin();
    for (const Input& input : edges) {  // dX... = backward(dY)
      const py::handle g = *dX++;
      if (input && !g.is_none()) input.add_grad(g.cast<const TypedTensor&>().tensor.copied());
    }
  }
  Tensor recompute(Inputs inputs) const override {
    const py::gil_scoped_acquire gil;
    py::list xs;
    for (const Tensor& x : inputs) xs.append(TypedTensor{x, of_inputs[xs.size()]});
    return python->forward(*xs).cast<const TypedTensor&>().tensor;
  }
  struct Python {
    py::object
        backward;  // of dY and what was saved: a list with a gradient, or None, for each input
    py::object forward;  // of the inputs
  };
  Python* python;
  std::deque<Input> edges;
  std::deque<Saved> saves;
  Dtype dtype;  // of Y, so of dY
  std::vector<Dtype> of_inputs, of_saves;
};

// y, computed from `inputs` in a way that the tape does not know, as the output of a node `name`;
// also if y is an input that was written over.
TypedTensor record_function(const std::string& name, const py::object& backward,
                            const py::object& forward, const std::vector<TypedTensor>& inputs,
                            const std::vector<TypedTensor>& saved, const TypedTensor& y) {
  std::vector<const Tensor*> operands;
  for (const TypedTensor& x : inputs) operands.push_back(&x.tensor);
  if (!grad_enabled() || !wants_grad(operands)) return y;
  Ref<FunctionBackward> node(new FunctionBackward(name, backward, forward, y.dtype));
  for (const TypedTensor& x : inputs) {
    node->edges.emplace_back(node.get());
    node->of_inputs.push_back(x.dtype);
  }
  connect(*node, operands, python_line());
  static constexpr const char* letters[] = {"saved0", "saved1", "saved2", "saved3", "saved"};
  for (const TypedTensor& x : saved) {
    node->saves.emplace_back(node.get(), letters[std::min<size_t>(node->saves.size(), 4)]);
    node->saves.back() = x.tensor;
    node->of_saves.push_back(x.dtype);
  }
  return {on_tape(y.tensor, std::move(node)), y.dtype};
}

}  // namespace

bool is_function(const Node& node) { return dynamic_cast<const FunctionBackward*>(&node); }

void bind_function(py::module_& module) { module.def("_record_function", &record_function); }

}  // namespace stepgrad::python
