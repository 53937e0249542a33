#pragma once

#include <optional>
#include <vector>

#include "demos/python/binding/dtype.hpp"
#include "demos/python/binding/lines.hpp"
#include "demos/python/binding/owned_object.hpp"
#include "demos/python/binding/view.hpp"

// Shared by the binding's files.
namespace stepgrad::python {

// f() with the GIL released.
template <class F>
auto computed(F f) {
  const WithoutGil without_gil;
  const py::gil_scoped_release others_may_run;
  return f();
}

// The user's line if an op of these is recorded, else none; x with that line.
inline Loc line_of(const TypedTensor& x) { return line_if_recorded(x.tensor); }
inline Loc line_of(const TypedTensor& a, const TypedTensor& b) { return line_if_recorded(a.tensor, b.tensor); }
inline Arg arg_of(const TypedTensor& x) { return {x.tensor, line_of(x)}; }

// f(x), an op of x, as `dtype`.
template <class F>
TypedTensor recorded(const TypedTensor& x, Dtype dtype, F f) {
  const Arg arg = arg_of(x);
  return computed([&] { return tagged(f(arg), dtype, arg.loc); });
}
template <class F>
TypedTensor recorded(const TypedTensor& x, F f) {
  return recorded(x, x.dtype, f);
}
void check_floating(const char* op, const TypedTensor& x);  // RuntimeError
Dtype of_products(Dtype dtype);                             // of operands: within an Autocast, the Autocast's
Tensor tensor_or_none(const py::object& x);                 // undefined for None
inline const TypedTensor* tensor_of(py::handle x) {
  return py::isinstance<TypedTensor>(x) ? &x.cast<const TypedTensor&>() : nullptr;
}

py::object size_object(const Shape& shape);   // torch.Size
Shape shape_from(py::handle sizes);           // of a sequence of whole numbers, or of one
Shape shape_from(const py::args& sizes);      // view(2, 3) or view([2, 3])
std::vector<int> dims_from(py::handle dims);  // of a sequence of whole numbers, of one, or None: {}

// A tensor from nested sequences, numbers, or an array. Default dtype: float32 if there is a float,
// else int64 if there is an int, else bool.
TypedTensor tensor_from(py::handle data, std::optional<Dtype> dtype);
TypedTensor from_array(const py::object& array);  // shares float32 that is dense, copies the rest
py::object to_array(const TypedTensor& x);        // likewise; a copy is read-only
void warn(const char* text);                      // a UserWarning that names the user's line
void warn_of_float64();                           // once: it becomes float32
void warn_of_copy(const char* door);              // once: an array's numbers are not a tensor's

// The torch.autograd.Function whose output has this node, or null; and its call in Python, or None.
const Node* function_of(const Node& node);
py::object call_of(const Node& node);
// Shows the node of y, an op of `operands`, as one node of torch's, `name`.
void show_as(const TypedTensor& y, const std::string& name, const std::vector<const TypedTensor*>& operands);
void show_as(const Tensor& y, const std::string& name, std::vector<const Node*> operands);
void show_as_parts(const py::tuple& parts, const std::string& name, const TypedTensor& x);
// The numbers of what the node saved, with the history that it had when it was saved.
Tensor with_history(const Node& node, const Saved& saved, const Tensor& numbers);
py::object run_posts(Node& node, py::object grads, const Tensor& dY);  // as NodeHooks says
void pack_saved(Node& node);  // under saved_tensors_hooks: what the node saves is packed

TypedTensor where_of(const TypedTensor& mask, const Operand& a, const Operand& b);  // promoted

using Class = py::class_<TypedTensor>;

void bind_tensor(py::module_& module, Class& tensor);  // constructors, data, printing's needs
void bind_arithmetic(py::module_& module, Class& tensor);
void bind_functions(py::module_& module, Class& tensor);  // of each element
// x.NAME() for every elementwise op of one tensor, unless Tensor has the name already; and the list
// of these names.
void bind_ops_of_each(py::module_& module, Class& tensor);
void bind_function(py::module_& module);  // torch.autograd.Function
void bind_reductions(Class& tensor);
void bind_shapes(py::module_& module, Class& tensor);
void bind_networks(py::module_& module);  // what torch.nn.functional needs
void bind_autograd(py::module_& module, Class& tensor);
void bind_graph(py::module_& module, Class& tensor);  // grad_fn and the nodes behind it
void bind_debugging(py::module_& module, Class& tensor);
void bind_index(Class& tensor);
void bind_scatter(Class& tensor);
void bind_in_place(Class& tensor);

}
