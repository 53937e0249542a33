// Operators on two operands, with torch's promotion; also in place.
#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "core/tape/record.hpp"
#include "demos/python/binding/tensor.hpp"
#include "ops/ops.hpp"

namespace stepgrad::python {
namespace {

using Binary = Tensor (*)(Arg, Arg);
using TypeRule = Dtype (*)(const Operand& a, const Operand& b);

Dtype promoted(const Operand& a, const Operand& b) { return result_type({&a, &b}); }
Dtype floating(const Operand& a, const Operand& b) {
  const Dtype dtype = promoted(a, b);
  return is_floating(dtype) ? dtype : Dtype::float32;
}
Dtype boolean(const Operand&, const Operand&) { return Dtype::boolean; }
Dtype not_boolean(const Operand& a, const Operand& b) {
  check<Error>(a.dtype != Dtype::boolean && b.dtype != Dtype::boolean,
      "-: a bool is not subtracted; ^ and logical_not are what may be meant");
  return promoted(a, b);
}
Dtype divisible(const Operand& a, const Operand& b) {
  const Dtype dtype = promoted(a, b);
  if (is_floating(dtype)) return dtype;
  const Scalar *begin = b.tensor.data(), *end = begin + b.tensor.numel();
  check<Error>(a.tensor.numel() == 0 || std::find(begin, end, Scalar(0)) == end,
      "ZeroDivisionError: a whole number is divided by 0");
  check<Error>(dtype != Dtype::boolean, "bools are not divided with // or %");
  return dtype;
}
Dtype powered(const Operand& a, const Operand& b) {
  const Dtype dtype = promoted(a, b);
  check<Error>(is_floating(dtype) || !b.number || b.value >= 0, "integers to negative integer powers are not allowed");
  if (!is_floating(dtype)) check_fits(a, dtype);
  if (dtype != Dtype::float32) check_fits(b, dtype);  // float32 takes exponents of double precision
  return dtype;
}
Dtype logical(const Operand& a, const Operand& b) {
  const Dtype dtype = promoted(a, b);
  check<Error>(!is_floating(dtype), "bitwise operators are not for ", type_name(dtype));
  return dtype;
}

// Y = ⌊A/B⌋, to which torch gives no derivative: only backward refuses.
struct FloorDivideBackward final : Node {
  static constexpr Formula formula{"floor_divide", "Y = ⌊A/B⌋", ""};
  FloorDivideBackward() : Node(formula) {}
  void backward(Tensor) override { throw Error("//: has no gradient; detach() what is divided"); }
  Input a{this}, b{this};
};

Tensor floored(Arg a, Arg b) {
  const Tensor* const operands[] = {&a.tensor, &b.tensor};
  if (!wants_grad(operands)) return floor_divide(std::move(a), std::move(b));
  return on_tape(floor_divide(a.tensor.off_tape(), b.tensor.off_tape()), record<FloorDivideBackward>(a, b));
}

// Of the elements as whole numbers; off the tape, which is told so.
template <class F>
Tensor bits(const char* op, const Arg& a, const Arg& b, F f) {
  for (const Arg* x : {&a, &b}) stepgrad::tell_read(x->tensor, op, x->loc);
  const Shape shape = broadcast(op, a.shape(), b.shape());
  const Tensor y = Tensor::empty(shape), x = expand(a.tensor.off_tape(), shape), z = expand(b.tensor.off_tape(), shape);
  std::transform(x.data(), x.data() + x.numel(), z.data(), y.data(),
      [f](Scalar x, Scalar y) { return Scalar(f(int64_t(x), int64_t(y))); });
  return y;
}
Tensor bitwise_and(Arg a, Arg b) { return bits("&", a, b, std::bit_and<int64_t>()); }
Tensor bitwise_or(Arg a, Arg b) { return bits("|", a, b, std::bit_or<int64_t>()); }
Tensor bitwise_xor(Arg a, Arg b) { return bits("^", a, b, std::bit_xor<int64_t>()); }
// Whole numbers have at most 64 bits: larger shifts give 0 or -1.
Tensor shift_left(Arg a, Arg b) {
  return bits("<<", a, b, [](int64_t x, int64_t n) { return 0 <= n && n < 64 ? x << n : 0; });
}
Tensor shift_right(Arg a, Arg b) {
  return bits(">>", a, b, [](int64_t x, int64_t n) { return x >> (0 <= n && n < 64 ? n : 63); });
}
Tensor power(Arg a, Arg b) { return pow(std::move(a), std::move(b)); }

// & and | of bools, by ops that the tape has.
Binary of_masks(Binary op) { return op == &bitwise_and ? &mul : op == &bitwise_or ? &maximum : op; }

struct Operator {
  Binary op;
  TypeRule type;

  TypedTensor operator()(const Operand& a, const Operand& b) const {
    const Dtype dtype = type(a, b);
    const Dtype both = dtype == Dtype::boolean ? promoted(a, b) : dtype;  // what they are compared as
    check_exact(a, both), check_exact(b, both);
    const Loc loc = line_of(a, b);
    return computed([&] {
      const Tensor left = operand_in(a, both, loc), right = operand_in(b, both, loc);
      if (dtype != Dtype::boolean) {
        const TypedTensor y = tagged(op({left, loc}, {right, loc}), dtype, loc);
        if (op == &minimum) show_as(y, "MinimumBackward0", {&a, &b});
        return y;
      }
      const Tensor y = of_masks(op)({left, loc}, {right, loc});
      // Bools add up as "or", as torch has it.
      return TypedTensor{type == &boolean ? y : stepgrad::ne(y, 0), dtype};
    });
  }
};

using Native = Tensor (Tensor::*)(Arg) const;

const char* title(Binary op) { return op == &add ? "AddBackward0" : "SubBackward0"; }

// Overwrites a, if its dtype can hold the result. b is a multiple of `given`, if that is given.
TypedTensor& in_place(const char* name, const Operator& f, TypedTensor& a, Operand b, Native native = nullptr,
    const Operand* given = nullptr) {
  if (given && b.tensor.is(given->tensor)) given = nullptr;
  if (native && a.dtype == Dtype::float32 && is_alone(a)) {
    const Operand self(a);
    const Loc loc = line_of(self, b);
    const Tensor other = operand_in(b, f.type(self, b), loc);
    const Ref<Node> before(a.tensor.node());
    computed([&] { return (a.tensor.*native)({other, loc}); });
    if (given) show_as(a.tensor, title(f.op), {before.get(), given->tensor.node()});
    return a;
  }
  const Operand before(before_in_place(name, a));
  if (b.tensor.is(a.tensor)) b.tensor = before.tensor;
  const TypedTensor y = f(before, b);
  if (given) show_as(y, title(f.op), {&before, given});
  become(name, a, y);
  return a;
}

bool is_operand(py::handle x) {
  return py::isinstance<TypedTensor>(x) || (PyNumber_Check(x.ptr()) && !PySequence_Check(x.ptr()));
}

struct Names {
  const char *method, *name, *reflected;
};

const char* second_argument(const Operator& f) { return f.op == &power ? "exponent" : "other"; }

// As the operator, its method, and the operator behind a number.
void define(Class& tensor, Names names, Operator f) {
  const auto call = [f](const py::object& a, const py::object& b) { return f(Operand(a), Operand(b)); };
  const auto define_operator = [&](const char* name, bool reflected) {
    const auto operate = [=](const py::object& self, const py::object& other) -> py::object {
      if (!is_operand(other)) return py::reinterpret_borrow<py::object>(Py_NotImplemented);
      const bool swapped = reflected && f.op != &add && f.op != &mul;  // torch's order of edges
      return py::cast(swapped ? call(other, self) : call(self, other));
    };
    if (name) tensor.def(name, operate, py::is_operator());
  };
  define_operator(names.method, false);
  define_operator(names.reflected, true);
  if (names.name) tensor.def(names.name, call, py::arg(second_argument(f)));
}

// alpha·b in the dtype of a + alpha·b
Operand scaled(const Operand& a, Operand other, const py::object& alpha, TypeRule type) {
  const Operand by(alpha);  // add_(0.1, x), the old form, has them in reverse
  if (!by.number && !other.number) real_from(alpha);
  const Dtype dtype = by.number ? type(a, other) : result_type({&a, &other, &by});
  check<Error>(!by.number || !is_floating(by.dtype) || is_floating(dtype),
      "for integral input tensors, alpha must not be a floating point number");
  check<Error>(!by.number || by.dtype != Dtype::boolean || dtype == Dtype::boolean,
      "Boolean alpha only supported for Boolean results.");
  if (by.number && by.value == 1) return other;
  const Loc loc = line_of(other, by);
  const Tensor left = operand_in(other, dtype, loc), right = elements(by, dtype, loc).tensor;
  const TypedTensor product = computed([&] { return tagged(mul({left, loc}, {right, loc}), dtype, loc); });
  other.tensor = product.tensor, other.dtype = dtype;
  other.number = other.number && by.number;
  return other;
}

void define_scaled(Class& tensor, const char* name, Operator f) {
  tensor.def(
      name,
      [=](const py::object& a, const py::object& b, const py::object& alpha) {
        const Operand self(a), other(b), product = scaled(self, other, alpha, f.type);
        const TypedTensor y = f(self, product);
        if (!product.tensor.is(other.tensor)) show_as(y, title(f.op), {&self, &other});
        return y;
      },
      "other"_a, "alpha"_a = 1);
}

// In place: as the operator, if it has one, and as the method.
void augment(Class& tensor, const char* method, const std::string& name, Operator f, Native native = nullptr) {
  const auto call = [=](TypedTensor& a, const py::object& b) -> TypedTensor& {
    return in_place(name.c_str(), f, a, Operand(b), native);
  };
  if (method) tensor.def(method, call, py::return_value_policy::reference);
  if (f.op == &add || f.op == &sub) {
    tensor.def(
        name.c_str(),
        [=](TypedTensor& a, const py::object& b, const py::object& alpha) -> TypedTensor& {
          const Operand other(b), product = scaled(Operand(a), other, alpha, f.type);
          return in_place(name.c_str(), f, a, product, native, &other);
        },
        "other"_a, "alpha"_a = 1, py::return_value_policy::reference);
  } else {
    tensor.def(name.c_str(), call, py::arg(second_argument(f)), py::return_value_policy::reference);
  }
}

// Whether torch copies x for y, a product of batches, whose batch is one dimension there.
bool is_copied(const TypedTensor& x, const Tensor& y) {
  const Shape &its = x.tensor.shape(), &made = y.shape();
  const int n = its.dims(), batch = made.dims() - 2;
  std::vector<int64_t> sizes(made.begin(), made.begin() + batch);
  sizes.insert(sizes.end(), its.begin() + n - 2, its.end());
  const Shape rows{made.numel(0, batch), its[n - 2], its[n - 1]};
  return !layout_of(x).expand(Shape{std::span<const int64_t>(sizes)}).view(rows);
}

TypedTensor product(const TypedTensor& a, const TypedTensor& b) {
  check<Error>(a.dtype == b.dtype || modes.cast, "matmul: expected scalar type ", type_name(a.dtype), " but found ",
      type_name(b.dtype));
  const Dtype dtype = of_products(a.dtype);
  const Loc loc = line_of(a, b);
  TypedTensor y = computed([&] { return tagged(matmul({a.tensor, loc}, {b.tensor, loc}), dtype, loc); });
  const int rows = a.tensor.dim();
  if (b.tensor.dim() == 1 && rows <= 3)
    show_as(y, rows == 1 ? "DotBackward0" : rows == 2 ? "MvBackward0" : "Mv of rows", {&a, &b});
  if (rows == 1 && b.tensor.dim() == 2) show_as(y, "Mm of a row", {&a, &b});
  if (y.tensor.requires_grad() && rows > 2 && b.tensor.dim() > 2) {
    const bool first = is_copied(a, y.tensor), second = is_copied(b, y.tensor);
    const char* names[] = {"Bmm 01", "Bmm 10", "Bmm 11"};
    if (first || second) show_as(y, names[2 * first + second - 1], {&a, &b});
  }
  return y;
}

}

TypedTensor where_of(const TypedTensor& mask, const Operand& a, const Operand& b) {
  check<Error>(mask.dtype == Dtype::boolean, "where: the condition is ", type_name(mask.dtype), ", and not Bool");
  const Dtype dtype = promoted(a, b);
  check_fits(a, dtype), check_fits(b, dtype);
  const Loc loc = line_of(a, b);
  return computed([&] { return tagged(where({mask.tensor, loc}, {a.tensor, loc}, {b.tensor, loc}), dtype, loc); });
}

void bind_arithmetic(py::module_& module, Class& tensor) {
  const Operator plus{&add, promoted}, minus{&sub, not_boolean}, times{&mul, promoted}, over{&div, floating};
  define(tensor, {"__add__", nullptr, "__radd__"}, plus);
  define(tensor, {"__sub__", nullptr, "__rsub__"}, minus);
  define(tensor, {"__mul__", "mul", "__rmul__"}, times);
  define(tensor, {nullptr, "multiply", nullptr}, times);
  define(tensor, {"__truediv__", "div", "__rtruediv__"}, over);
  define(tensor, {nullptr, "true_divide", nullptr}, over);
  for (const auto& [name, op] : {std::pair{"maximum", &maximum}, {"minimum", &minimum}})
    tensor.def(
        name,
        [f = Operator{op, promoted}](
            const TypedTensor& a, const TypedTensor& b) { return f(Operand(py::cast(a)), Operand(py::cast(b))); },
        "other"_a);

  define_scaled(tensor, "add", plus);
  define_scaled(tensor, "sub", minus);

  augment(tensor, "__iadd__", "add_", plus, &Tensor::add_);
  augment(tensor, "__isub__", "sub_", minus, &Tensor::sub_);
  augment(tensor, "__imul__", "mul_", times, &Tensor::mul_);
  augment(tensor, "__itruediv__", "div_", over, &Tensor::div_);

  // The operator's suffix, as in __pow__, __rpow__ and __ipow__, and its method, as in pow and
  // pow_.
  struct Row {
    std::string word, name;
    Operator f;
  };
  for (const Row& row : {Row{"floordiv", "floor_divide", {&floored, divisible}},
           {"mod", "remainder", {&remainder, divisible}}, {"pow", "pow", {&power, powered}},
           {"and", "bitwise_and", {&bitwise_and, logical}}, {"or", "bitwise_or", {&bitwise_or, logical}},
           {"xor", "bitwise_xor", {&bitwise_xor, logical}}, {"lshift", "bitwise_left_shift", {&shift_left, logical}},
           {"rshift", "bitwise_right_shift", {&shift_right, logical}}}) {
    const auto named = [&](const char* prefix) { return prefix + row.word + "__"; };
    define(tensor, {named("__").c_str(), row.name.c_str(), named("__r").c_str()}, row.f);
    augment(tensor, named("__i").c_str(), row.name + "_", row.f);
  }
  for (const auto& [name, op] : std::initializer_list<std::pair<std::string, Binary>>{
           {"eq", &eq}, {"ne", &ne}, {"lt", &lt}, {"le", &le}, {"gt", &gt}, {"ge", &ge}}) {
    define(tensor, {("__" + name + "__").c_str(), name.c_str(), nullptr}, {op, boolean});
    augment(tensor, nullptr, name + "_", {op, boolean});
  }

  tensor.def("__neg__", [](const TypedTensor& x) {
    check<Error>(x.dtype != Dtype::boolean, "-: a bool tensor has no negative; ~ is its inverse");
    return recorded(x, [](Arg a) { return neg(a); });
  });
  tensor.def("__invert__", [](const TypedTensor& x) {
    if (is_floating(x.dtype)) throw py::type_error("~ is for whole numbers and bools only");
    const Scalar base = x.dtype == Dtype::boolean ? 1 : -1;  // ~x = -1 - x
    return recorded(x, [base](Arg a) { return sub({base, a.loc}, a); });
  });
  module.def("_result_type", [](const py::object& a, const py::object& b, const py::args& third) {
    const Operand x(a), y(b), z(third.empty() ? b : py::object(third[0]));
    return dtype_object(result_type({&x, &y, &z}));
  });
  module.def("_where", [](const TypedTensor& mask, const py::object& a, const py::object& b) {
    return where_of(mask, Operand(a), Operand(b));
  });
  tensor.def("matmul", &product, "other"_a).def("__matmul__", &product, py::is_operator());
}

}
