// Writes to a whole tensor, or under a mask.
#include "core/check.hpp"
#include "demos/python/binding/tensor.hpp"
#include "ops/ops.hpp"

namespace stepgrad::python {
namespace {

// A number or a scalar tensor as an element of x, with its history.
Tensor element_of(const char* op, const TypedTensor& x, Dtype dtype, const py::object& value) {
  const Operand given(value);
  check<Error>(given.tensor.dim() == 0, op, ": a number is wanted, or a tensor without dimensions, ", "and not one of ",
      given.tensor.shape());
  if (!given.number) element({given.tensor.data()[0], given.dtype}, dtype);  // refused as a number is
  return elements(given, dtype, line_of(x, given)).tensor;
}

TypedTensor filled(const TypedTensor& x, const TypedTensor& mask, const py::object& value) {
  check<Error>(mask.dtype == Dtype::boolean, "masked_fill: the mask is ", type_name(mask.dtype), ", and not Bool");
  const Tensor fill = element_of("masked_fill", x, x.dtype, value);
  const Loc loc = line_if_recorded(x.tensor, fill);
  if (fill.requires_grad()) return tagged(where(mask.tensor, {fill, loc}, {x.tensor, loc}), x.dtype, loc);
  const Shape shape = broadcast("masked_fill", x.tensor.shape(), mask.tensor.shape());
  const Tensor wide = shape == x.tensor.shape() ? x.tensor : expand({x.tensor, loc}, shape);
  return tagged(masked_fill({wide, loc}, mask.tensor, fill.item()), x.dtype, loc);
}

TypedTensor& fill_(TypedTensor& x, const py::object& value, const char* op = "fill_") {
  Tensor fill = element_of(op, x, x.dtype, value);
  const Node* given = fill.requires_grad() ? fill.node() : nullptr;
  const Ref<Node> before(base_of(x).node());
  if (!fill.requires_grad()) fill = tagged(Tensor::full({}, element(real_from(value), x.dtype)), x.dtype, {}).tensor;
  if (is_alone(x) && !x.tensor.requires_grad() && !(grad_enabled() && fill.requires_grad()))
    x.tensor.fill_(fill.item());
  else
    write_in_place(op, x, {layout_of(x), IndexKind::index}, fill);
  show_write(op, x, before.get(), given);
  return x;
}

}

void bind_in_place(Class& tensor) {
  const auto self = py::return_value_policy::reference;
  tensor.def("masked_fill", &filled, "mask"_a, "value"_a)
      .def(
          "zero_", [](TypedTensor& x) -> TypedTensor& { return fill_(x, py::int_(0), "zero_"); }, self)
      .def(
          "fill_", [](TypedTensor& x, const py::object& value) -> TypedTensor& { return fill_(x, value); }, "value"_a,
          self)
      .def(
          "copy_",
          [](TypedTensor& x, const py::object& given, Flag) -> TypedTensor& {
            const Operand source(given);
            const Loc loc = line_of(x, source);
            const Ref<Node> before(base_of(x).node());
            const TypedTensor same = to_dtype(source, x.dtype, loc);
            const Tensor wide = same.tensor.shape() == x.tensor.shape() ? clone({same.tensor, loc})
                                                                        : expand({same.tensor, loc}, x.tensor.shape());
            if (grad_enabled() && x.tensor.requires_grad() && !layout_of(x).overlaps())
              write_in_place("copy_", x, {layout_of(x), IndexKind::index}, wide);
            else
              write_in_place("copy_", x, wide);
            const bool has = source.tensor.requires_grad();
            show_write("copy_", x, before.get(), has ? source.tensor.node() : nullptr);
            return x;
          },
          "other"_a, "non_blocking"_a = false, self);
  tensor.def("_before", [](const TypedTensor& x, const char* op) { return before_in_place(op, x); });
  tensor.def(
      "_become",
      [](TypedTensor& x, const char* op, const TypedTensor& y) -> TypedTensor& {
        become(op, x, y);
        return x;
      },
      self);
}

}
