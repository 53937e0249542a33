// The tape in Python: gradients, backward, hooks, modes, checkpoints.
#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "core/check.hpp"
#include "core/tape/accumulate.hpp"
#include "core/tape/pass.hpp"
#include "core/tensor/random.hpp"
#include "demos/python/binding/tensor.hpp"
#include "ops/ops.hpp"

namespace stepgrad::python {

// Sets a mode from __enter__ to __exit__. Keeps values, not references: a generator that began in
// one thread may be closed in another, after the first one has ended. Restores the mode only in the
// thread that set it.
template <class Value>
struct Guard {
  Value (*exchange)(Value);
  Value value;
  bool of_thread = true;
  std::vector<std::pair<std::thread::id, Value>> before = {};

  void enter() { before.emplace_back(thread(), exchange(value)); }
  void exit() {
    check<Error>(!before.empty(), "__exit__: there was no __enter__");
    const auto is_mine = [me = thread()](const auto& of) { return of.first == me; };
    const auto mine = std::find_if(before.rbegin(), before.rend(), is_mine);
    if (mine == before.rend()) return before.pop_back();
    exchange(mine->second);
    before.erase(mine.base() - 1);
  }
  std::thread::id thread() const { return of_thread ? std::this_thread::get_id() : std::thread::id(); }
};

}

template <class Value>
class pybind11::detail::type_caster<stepgrad::python::Guard<Value>>
    : public stepgrad::python::Initialised<stepgrad::python::Guard<Value>> {};

namespace stepgrad::python {
namespace {

// f(x), with the GIL held. Undefined for None.
TypedTensor called(const OwnedObject& f, const Tensor& x, Dtype dtype) {
  const py::object y = (*f)(TypedTensor{x, dtype});
  return y.is_none() ? TypedTensor{Tensor(), dtype} : y.cast<const TypedTensor&>();
}

// Tensor::backward, but Ctrl-C stops it between two gradients.
void run_backward(Tensors ys, Tensors dYs, bool retain, bool create) {
  using clock = std::chrono::steady_clock;
  auto looked = clock::now();
  Pass pass(std::move(ys), std::move(dYs), retain, create);
  while (Node* node = pass.next()) {
    stepgrad_backward_step(*node, pass.gradient());
    if (clock::now() - looked < std::chrono::milliseconds(20)) continue;
    const py::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    looked = clock::now();
  }
}

Tensors tensors(const std::vector<py::object>& given) {
  Tensors all;
  for (const py::object& x : given) all.push_back(tensor_or_none(x));
  return all;
}

// torch.autograd.grad: the gradients of `inputs` alone; None for an unused input.
py::list gradients(const std::vector<py::object>& outputs, const std::vector<py::object>& dYs,
    const std::vector<TypedTensor>& inputs, bool retain_graph, bool create_graph) {
  const auto ys = tensors(outputs), given = tensors(dYs);
  Tensors xs;
  for (const TypedTensor& x : inputs) xs.push_back(x.tensor);
  const auto found = computed([&] { return grad(ys, xs, {given, retain_graph, create_graph, true}); });
  py::list result;
  for (size_t i = 0; i < found.size(); ++i)
    result.append(found[i].defined() ? py::cast(as_gradient(inputs[i].dtype, found[i])) : py::none());
  return result;
}

void backward_of(const std::vector<py::object>& outputs, const std::vector<py::object>& dYs, bool retain,
    bool create_graph, const py::object& inputs) {
  if (inputs.is_none()) {
    const auto ys = tensors(outputs), given = tensors(dYs);
    return computed([&] { run_backward(ys, given, retain, create_graph); });
  }
  const auto only = py::isinstance<TypedTensor>(inputs) ? std::vector{inputs.cast<TypedTensor>()}
                                                        : inputs.cast<std::vector<TypedTensor>>();
  check<Error>(!only.empty(), "backward: inputs=[] are none to which a gradient is added");
  const py::list found = gradients(outputs, dYs, only, retain, create_graph);
  std::set<const Node*> added;
  for (size_t i = 0; i < only.size(); ++i) {
    if (found[i].is_none() || !added.insert(only[i].tensor.node()).second) continue;
    if (only[i].tensor.node()->retains_grad) continue;
    only[i].tensor.retain_grad();
    Node& node = *only[i].tensor.node();
    const Tensor& g = found[i].cast<const TypedTensor&>().tensor;
    accumulate(node.grad, g);
    if (node.is_leaf()) run_posts(node, py::tuple(), g);
  }
}

void backward(
    const py::object& x, const py::object& gradient, bool retain_graph, bool create_graph, const py::object& inputs) {
  backward_of({x}, {gradient}, retain_graph, create_graph, inputs);
}

constexpr const char* why_no_grad =
    ".grad of a Tensor that is not a leaf: backward() keeps it only after retain_grad()";

// Writing through a view does not change a gradient returned before, as in torch.
py::object grad_of(const TypedTensor& x) {
  const Node* node = x.tensor.node();
  while (node && !node->is_leaf() && !node->retains_grad)
    node = was_put_through_view(*node) ? node->inputs->node.get() : nullptr;
  const bool asked_for = node && (node->retains_grad || x.tensor.is_leaf());
  const bool wanted = !asked_for && x.tensor.requires_grad() && !x.tensor.is_leaf();
  if (wanted && PyErr_WarnEx(PyExc_UserWarning, why_no_grad, 1) < 0) throw py::error_already_set();
  return asked_for && node->grad.defined() ? py::cast(as_gradient(x.dtype, node->grad)) : py::none();
}

TypedTensor& require_grad(TypedTensor& x, Flag on) {
  check<Error>(!on || is_floating(x.dtype), "only floating point tensors can require gradients");
  x.tensor.requires_grad_(on);
  return x;
}

// As in torch, a tensor that requires no gradient may have one.
void set_grad(TypedTensor& x, const py::object& grad) {
  Node* node = x.tensor.node();
  if (grad.is_none()) {
    if (node) node->grad = {};
    return;
  }
  const auto& given = grad.cast<const TypedTensor&>();
  check<Error>(given.dtype == x.dtype, "the gradient of a ", type_name(x.dtype), " is not a ", type_name(given.dtype));
  const Layout layout = layout_of(given);  // backward adds to the base of a contiguous view
  const Tensor numbers =
      given.view && layout.is_contiguous() ? base_of(given).part(layout.offset, layout.shape) : given.tensor;
  if (x.tensor.requires_grad()) return x.tensor.set_grad(numbers);
  const Tensor leaf = x.tensor.off_tape().requires_grad_();
  leaf.set_grad(numbers);
  if (node && node->is_leaf()) {
    node->grad = leaf.grad();
  } else {
    if (node) tell_read(x, "grad");  // an op that is there for the ledger alone
    leaf.node()->wants_grad = false;
    x.tensor.set_node(Ref<Node>(leaf.node()));
  }
}

bool exchange_grad(bool on) { return std::exchange(modes.grad, on); }
bool exchange_shows(bool on) { return std::exchange(modes.shows, on); }
Cast exchange_cast(Cast cast) { return std::exchange(modes.cast, cast); }
bool exchange_detect_nan(bool on) {
  const bool before = detects_nan();
  set_detect_nan(on);
  return before;
}

template <class Value>
void bind_guard(py::module_& module, const char* name) {
  py::class_<Guard<Value>>(module, name)
      .def("__enter__", &Guard<Value>::enter)
      .def("__exit__", [](Guard<Value>& guard, const py::args&) { guard.exit(); });
}

TypedTensor checkpointed(const py::object& function, const TypedTensor& x) {
  const OwnedObject f(function);
  const auto made = std::make_shared<Dtype>(x.dtype);
  const auto call = [f, made, dtype = x.dtype](const Tensor& t) {
    const py::gil_scoped_acquire gil;
    const TypedTensor y = called(f, t, dtype);
    *made = y.dtype;
    return y.tensor;
  };
  const Tensor y = checkpoint(call, {x.tensor, grad_enabled() ? python_line() : Loc{}});
  if (y.node()) f.by(y.node());
  return {is_floating(*made) ? y : y.off_tape(), *made};
}

}

void bind_autograd(py::module_& module, Class& tensor) {
  tensor
      .def("backward", &backward, "gradient"_a = py::none(), "retain_graph"_a = py::none(), "create_graph"_a = false,
          "inputs"_a = py::none())
      .def_property("grad", &grad_of, &set_grad)
      .def_property(
          "requires_grad", [](const TypedTensor& x) { return x.tensor.requires_grad(); },
          [](TypedTensor& x, Flag on) { require_grad(x, on); })
      .def("requires_grad_", &require_grad, "requires_grad"_a = true, py::return_value_policy::reference)
      .def_property_readonly("is_leaf", [](const TypedTensor& x) { return x.tensor.is_leaf(); })
      .def_property_readonly("_version", [](const TypedTensor& x) { return x.tensor.storage()->version(); })
      .def("retain_grad", [](const TypedTensor& x) { x.tensor.retain_grad(); })
      .def_property_readonly("retains_grad",
          [](const TypedTensor& x) { return x.tensor.requires_grad() && x.tensor.node()->retains_grad; })
      .def("detach", &detached)
      .def("_shift",
          [](const TypedTensor& x) {
            return TypedTensor{shift(arg_of(x)), x.dtype};
          })
      .def(
          "detach_",
          [](TypedTensor& x) -> TypedTensor& {
            check<Error>(!x.view, "detach_: not of a view, which shares its history: use detach()");
            if (x.tensor.is_leaf()) return require_grad(x, {false});
            x.tensor = stepgrad::detach(arg_of(x));
            return x;
          },
          py::return_value_policy::reference)
      .def_property("data", &detached,
          [](TypedTensor& x, const TypedTensor& from) {
            tell_read(from, "data", (x.tensor.requires_grad() ? x : from).tensor.storage().get());
            x.tensor.set_data(from.tensor);
            x.dtype = from.dtype;
            x.view = detached(from).view;
          })
      .def("_register_hook", [](const TypedTensor& x, const py::object& f) {
        const OwnedObject hook(f);
        const int number = x.tensor.register_hook([hook, dtype = x.dtype](const Tensor& dY) {
          const py::gil_scoped_acquire gil;
          const TypedTensor made = called(hook, as_gradient(dtype, dY).tensor, dtype);
          check<Error>(made.dtype == dtype, "register_hook: a hook made a ", type_name(made.dtype),
              " of a gradient that is a ", type_name(dtype));
          return made.tensor;
        });
        hook.by(x.tensor.node());
        return hook.remover(number);
      });

  bind_guard<bool>(module, "_Guard");
  bind_guard<Cast>(module, "_CastGuard");
  module.def("_Grad", [](Flag on) { return Guard<bool>{exchange_grad, on}; });
  module.def("_NoGrad", [] { return Guard<bool>{exchange_grad, false}; });
  module.def("_Unshown", [] { return Guard<bool>{exchange_shows, false}; });
  module.def("_shows_ops", &shows_ops);
  module.def("_DetectNan", [](Flag on) { return Guard<bool>{exchange_detect_nan, on, false}; });
  module.def("_Autocast", [](Dtype dtype) {
    const Cast cast = dtype == Dtype::float16 ? &half : dtype == Dtype::bfloat16 ? &bfloat16 : nullptr;
    return Guard<Cast>{exchange_cast, cast};
  });
  module.def("_casts", [] { return modes.cast != nullptr; });
  module.def("is_grad_enabled", &grad_enabled);
  module.def("_checkpoint", &checkpointed);
  module.def("_gradients", &gradients);
  module.def("_backward", &backward_of);
  module.def("manual_seed", [](uint64_t seed) { manual_seed(seed); });
  module.def("_random_state", [] {
    const RandomState state = random_state();
    return py::make_tuple(state.seed, state.call);
  });
  module.def("_set_random_state", [](uint64_t seed, uint64_t call) { set_random_state({seed, call}); });
}

}
