// The graph behind grad_fn: nodes with torch's names and edges, what they saved, and their hooks.
#include <pybind11/stl.h>

#include <algorithm>
#include <set>

#include "core/check.hpp"
#include "core/tape/observer.hpp"
#include "core/watch/order.hpp"
#include "demos/python/binding/tensor.hpp"
#include "ops/index.hpp"

namespace stepgrad::python {
namespace {

thread_local std::vector<PyObject*> packing;  // this thread's saved_tensors_hooks

// A node held by Python's grad_fn.
using HeldNode = Ref<Node>;

// Node::metadata. A composite op of Python's face is shown as one node: the last of its nodes, with
// its name, and with edges to its operands. Those are compared only, for a node behind may be gone.
struct Metadata {
  std::string shown;
  std::vector<const Node*> operands;
  std::shared_ptr<const char> parts;  // of a split: shared by its parts, one node in torch
  int part = 0;                       // which of them this is
  std::optional<OwnedObject> state;   // a dict: see grad_fn.py
};

Metadata& metadata_of(Node& node) {
  if (!node.metadata) node.metadata = std::make_shared<Metadata>();
  return *static_cast<Metadata*>(node.metadata.get());
}
const Metadata* found_metadata(const Node& node) { return static_cast<const Metadata*>(node.metadata.get()); }

py::dict state_of(Node& node) {
  std::optional<OwnedObject>& state = metadata_of(node).state;
  if (!state) state.emplace(py::dict()).by(&node);
  return **state;
}
bool has_state(const Node& node) {
  const Metadata* metadata = found_metadata(node);
  return metadata && metadata->state;
}
py::object found_state(const Node& node, const char* key) {
  if (!has_state(node)) return py::none();
  const py::dict state = **found_metadata(node)->state;
  return state.contains(key) ? py::object(state[key]) : py::none();
}

py::object node_of(const Node* node) {
  if (!node || !node->wants_grad) return py::none();
  if (const Node* function = function_of(*node)) node = function;
  return py::cast(HeldNode(const_cast<Node*>(node)));
}

std::string torch_name(const HeldNode& node) {
  if (const Metadata* metadata = found_metadata(*node); metadata && !metadata->shown.empty()) return metadata->shown;
  if (was_put_through_view(*node)) return "CopySlices";
  if (node->is_leaf() || function_of(*node)) return node->gradient_name();
  if (!*node->formula.gradient) return "NotImplemented";
  constexpr const char* names[] = {"Select", "Slice", "Unsqueeze", "Index", "Diagonal", "AsStrided"};
  const std::optional<IndexKind> kind = kind_of_index(*node);
  return kind ? std::string(names[int(*kind)]) + "Backward0" : node->gradient_name() + "0";
}

// The nodes of the inputs; of a composite op's operands, None for one that nothing leads to.
py::list inputs_of(const HeldNode& node) {
  py::list inputs;
  const Metadata* metadata = found_metadata(*node);
  if (!metadata || metadata->shown.empty()) {
    for (const Input* x = node->inputs; x; x = x->next) inputs.append(node_of(x->node.get()));
    return inputs;
  }
  const std::set<const Node*> operands(metadata->operands.begin(), metadata->operands.end());
  std::set<const Node*> found;
  std::vector<const Node*> to_visit{node.get()};
  while (!to_visit.empty()) {
    const Node* at = to_visit.back();
    to_visit.pop_back();
    for (const Input* x = at->inputs; x; x = x->next)
      if (x->node && found.insert(x->node.get()).second && !operands.count(x->node.get()))
        to_visit.push_back(x->node.get());
  }
  for (const Node* operand : metadata->operands) inputs.append(found.count(operand) ? node_of(operand) : py::none());
  return inputs;
}

}

Tensor with_history(const Node& node, const Saved& saved, const Tensor& numbers) {
  if (saved.input) return saved.input->over(numbers);
  const bool output = saved.letter == std::string_view("Y") && numbers.shape() == node.shape;
  return output ? numbers.detach_to(Ref<Node>(const_cast<Node*>(&node))) : Tensor(numbers);
}

void show_as(const Tensor& y, const std::string& name, std::vector<const Node*> operands) {
  Node* node = y.node();
  if (!node || !node->wants_grad || node->is_leaf()) return;
  if (std::count(operands.begin(), operands.end(), node)) return;  // y is one of them
  Metadata& metadata = metadata_of(*node);
  metadata.shown = name, metadata.operands = std::move(operands);
}
void show_as(const TypedTensor& y, const std::string& name, const std::vector<const TypedTensor*>& operands) {
  std::vector<const Node*> nodes;
  for (const TypedTensor* x : operands) nodes.push_back(x ? x->tensor.node() : nullptr);
  show_as(y.tensor, name, std::move(nodes));
}
void show_as_parts(const py::tuple& parts, const std::string& name, const TypedTensor& x) {
  const auto group = std::make_shared<const char>();
  int i = 0;
  for (py::handle part : parts) {
    const auto& y = part.cast<const TypedTensor&>();
    show_as(y, name, {&x});
    if (Node* node = y.tensor.node(); node && node != x.tensor.node() && node->metadata)
      metadata_of(*node).parts = group, metadata_of(*node).part = i;
    ++i;
  }
}

namespace {

// A leaf's tensor, while it lives.
py::object variable(const HeldNode& node) {
  const auto* leaf = dynamic_cast<const AccumulateGrad*>(node.get());
  if (!leaf || !leaf->tensor) return py::none();
  return py::cast(TypedTensor{Tensor::handle_of(leaf->tensor), Dtype::float32});
}

// What the node saved: letter, the input's node or None, tensor or None, and its pack or None.
py::list saved_of(const HeldNode& node) {
  py::list result;
  const py::object packs = found_state(*node, "packed");
  for (const Saved* saved = node->saved; saved; saved = saved->next) {
    const py::str letter(saved->letter);
    const py::object pack = packs.is_none() ? packs : packs.attr("get")(letter);
    result.append(py::make_tuple(letter, saved->input ? node_of(saved->input->node.get()) : py::none(),
        saved->defined() ? py::cast(TypedTensor{with_history(*node, *saved, *saved)}) : py::none(), pack));
  }
  return result;
}

// While one lives, what goes to a node's inputs is kept here.
class Diverted {
 public:
  explicit Diverted(Node& node) : node_(&node) {
    for (Input* x = node.inputs; x; x = x->next) {
      Ref<Node> stand_in = x->node ? Ref<Node>(new AccumulateGrad) : Ref<Node>();
      if (stand_in) {
        stand_in->wants_grad = x->node->wants_grad;
        stand_in->pass.left_out = x->node->pass.left_out;
      }
      nodes_.push_back(std::exchange(x->node, std::move(stand_in)));
    }
  }
  ~Diverted() {
    if (node_.get()) arrived();
  }
  Tensors arrived() {
    Tensors result;
    auto node = nodes_.begin();
    for (Input* x = node_->inputs; x && node != nodes_.end(); x = x->next) {
      const Ref<Node> stand_in = std::exchange(x->node, std::move(*node++));
      result.push_back(stand_in ? std::move(stand_in->pass.arrived) : Tensor());
    }
    nodes_.clear();
    return result;
  }

 private:
  Ref<Node> node_;
  std::vector<Ref<Node>> nodes_;
};

py::object gradient_or_none(const Tensor& g) { return g.defined() ? py::cast(TypedTensor{g}) : py::none(); }
py::tuple gradients_of(const Tensors& found) {
  py::list result;
  for (const Tensor& g : found) result.append(gradient_or_none(g));
  return py::tuple(result);
}

// grad_fn(dY): the gradients of the inputs. Nothing else changes, but for a leaf's gradient.
py::tuple called(const HeldNode& node, const TypedTensor& dY) {
  check<ShapeError>(dY.tensor.shape() == node->shape, node->op(), ": a gradient of ", dY.tensor.shape(),
      " for an output of ", node->shape);
  check<TapeError>(!node->done, node->op(), ": what it saved is freed");
  const NoGrad no_grad;
  Diverted diverted(*node);
  const Scoped<bool> kept(node->pass.keeps_saved, true);
  computed([&] { node->backward(dY.tensor.copied()); });
  return gradients_of(diverted.arrived());
}

// Replaces what the node saved, under that letter or all, by pack(tensor, its node): an object with
// unpack().
void replace_saved(Node& node, const char* letter, const py::object& pack) {
  for (Saved* saved = node.saved; saved; saved = saved->next) {
    if (!saved->defined() || (letter && std::string_view(letter) != saved->letter)) continue;
    const Tensor x = with_history(node, *saved, *saved);
    const py::object of = saved->input ? node_of(saved->input->node.get()) : py::none();
    py::dict state = state_of(node);
    if (!state.contains("packed")) state["packed"] = py::dict();
    state["packed"][saved->letter] = pack(TypedTensor{x}, of);
    static_cast<Tensor&>(*saved) = {};
  }
}

// Runs Node.register_hook's functions after a gradient, which saw (grad_inputs, grad_outputs) and
// may return other grad_inputs; and unpacks what saved_tensors_hooks has packed before it.
struct NodeHooks final : Observer {
  NodeHooks() : Observer(place::going_back + 1) {}

  void op_ends(Node& node, const Tensor&) override {
    const py::gil_scoped_acquire gil;
    python::pack_saved(node);
  }
  void gradient_begins(Node& node, const Tensor& dY, bool) override {
    if (!has_state(node)) return;
    const py::gil_scoped_acquire gil;
    unpack(node);
    if (found_state(node, "posts").is_none()) return;
    running.emplace_back(dY.copied(), node.is_leaf() ? nullptr : new Diverted(node));
  }
  void gradient_ends(Node& node) override {
    if (!has_state(node)) return;
    const py::gil_scoped_acquire gil;
    if (!found_state(node, "packed").is_none())
      for (Saved* saved = node.saved; saved; saved = saved->next) static_cast<Tensor&>(*saved) = {};
    if (found_state(node, "posts").is_none() || running.size() == begun.back()) return;
    const auto [dY, diverted] = std::move(running.back());
    running.pop_back();
    Tensors found;
    if (diverted) found = diverted->arrived();
    const py::object grads = python::run_posts(node, gradients_of(found), dY);
    if (!diverted) return;
    size_t i = 0;
    for (const Input* x = node.inputs; x; x = x->next, ++i) {
      const py::object g = py::tuple(grads)[i];
      if (*x && !g.is_none()) x->add_grad(g.cast<const TypedTensor&>().tensor.copied());
    }
  }
  void pass_begins(Pass&) override { begun.push_back(running.size()); }
  void pass_ends(Pass&) noexcept override {
    running.resize(begun.back());
    begun.pop_back();
  }

  static void unpack(Node& node) {
    const py::object packs = found_state(node, "packed");
    if (packs.is_none()) return;
    for (Saved* saved = node.saved; saved; saved = saved->next) {
      const py::object pack = packs.attr("get")(saved->letter);
      if (pack.is_none()) continue;
      const py::object x = pack.attr("unpack")();
      if (!py::isinstance<TypedTensor>(x)) throw py::type_error("unpack_hook: returned no tensor");
      *saved = x.cast<const TypedTensor&>().tensor;
    }
  }
  std::vector<std::pair<Tensor, std::shared_ptr<Diverted>>> running;  // of all passes,
  std::vector<size_t> begun;                                          // which began here
};
NodeHooks& node_hooks() {
  static NodeHooks& hooks = *new NodeHooks;
  return hooks;
}
void observe() {
  if (!node_hooks().observes()) node_hooks().observe(true);
}

}

void pack_saved(Node& node) {
  if (packing.empty() || !node.wants_grad) return;
  replace_saved(node, nullptr, py::reinterpret_borrow<py::object>(packing.back()));
}

py::object run_posts(Node& node, py::object grads, const Tensor& dY) {
  const py::object posts = found_state(node, "posts");
  if (posts.is_none()) return grads;
  for (py::handle hook : py::list(posts.attr("values")())) {
    const py::object given = hook(grads, py::make_tuple(TypedTensor{dY}));
    if (!given.is_none()) grads = py::isinstance<py::tuple>(given) ? given : py::make_tuple(given);
  }
  return grads;
}

void bind_graph(py::module_& module, Class& tensor) {
  tensor
      .def_property_readonly("_node",
          [](const TypedTensor& x) {
            const bool has = x.tensor.requires_grad() && !x.tensor.is_leaf();
            return has ? node_of(x.tensor.node()) : py::none();
          })
      .def_property_readonly("_leaf", [](const TypedTensor& x) {
        const Node* node = x.tensor.node();
        return node && node->is_leaf() ? node_of(node) : py::none();
      });
  py::class_<HeldNode>(module, "_Node")
      .def_property_readonly("name", &torch_name)
      .def_property_readonly("op", [](const HeldNode& node) { return node->op(); })
      .def_property_readonly("address", [](const HeldNode& node) { return uintptr_t(node.get()); })
      .def_property_readonly("inputs", &inputs_of)
      .def_property_readonly("part",  // of a split: the address of what its parts share, and which
          [](const HeldNode& node) -> std::optional<std::pair<uintptr_t, int>> {
            const Metadata* its = found_metadata(*node);
            if (!its || !its->parts) return {};
            return std::pair{uintptr_t(its->parts.get()), its->part};
          })
      .def_property_readonly("sizes",
          [](const HeldNode& node) {
            py::list sizes;
            for (const Input* x = node->inputs; x; x = x->next) sizes.append(size_object(x->shape));
            return sizes;
          })
      .def_property_readonly("attributes",
          [](const HeldNode& node) {
            py::dict result;
            for (const auto& [name, values] : node->attributes()) result[name] = py::cast(values);
            return result;
          })
      .def_property_readonly("done", [](const HeldNode& node) { return node->done; })
      .def_property_readonly("saved", &saved_of)
      .def_property_readonly("call", [](const HeldNode& node) { return call_of(*node); })
      .def_property_readonly("variable", &variable)
      .def_property_readonly("state", [](const HeldNode& node) { return state_of(*node); })
      .def("__call__", &called)
      .def("pack",
          [](const HeldNode& node, const std::string& letter, const py::object& pack) {
            replace_saved(*node, letter.c_str(), pack);
          })
      .def("register_prehook", [](const HeldNode& node, const py::object& f) {
        const OwnedObject hook(f);
        const int number = node->add_hook([hook](const Tensor& dY) {
          const py::gil_scoped_acquire gil;
          const py::object given = (*hook)(TypedTensor{dY});
          return given.is_none() ? Tensor() : given.cast<const TypedTensor&>().tensor;
        });
        hook.by(node.get());
        return hook.remover(number);
      });
  module.def("_show_as", [](const TypedTensor& y, const std::string& name, const py::args& operands) {
    if (!y.tensor.requires_grad()) return;
    std::vector<const TypedTensor*> tensors;
    for (py::handle x : operands) tensors.push_back(tensor_of(x));
    show_as(y, name, tensors);
  });
  module.def("_observe_nodes", &observe);
  module.def("_push_saved_tensors_hooks", [](const py::object& pack) {
    observe();
    packing.push_back(py::object(pack).release().ptr());
  });
  module.def("_pop_saved_tensors_hooks", [] {
    if (packing.empty()) return;
    Py_DECREF(packing.back());
    packing.pop_back();
  });
}

}
