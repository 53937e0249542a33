#include "core/tensor/tensor.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "core/kernels/table.hpp"
#include "core/tensor/undefined_gradient.hpp"

namespace stepgrad {

namespace {

Tensor allocated(const char* op, const Shape& shape, Loc loc) {
  const int64_t size = check_sizes(op, shape, loc);
  try {
    return Tensor::over(Storage::allocate(size), shape);
  } catch (const OutOfMemory&) {
    if (failing_line().file) throw;
    const CallLine line(loc);
    throw OutOfMemory(bytes_of(size));
  }
}

}

Tensor Tensor::empty(const Shape& shape, Loc loc) { return allocated("empty", shape, loc); }

Tensor Tensor::over(Ref<Storage> storage, const Shape& shape) {
  Tensor tensor;
  tensor.impl_ = Ref<TensorImpl>(new TensorImpl);
  tensor.impl_->shape = shape;
  tensor.impl_->data = storage->data;
  tensor.impl_->size = storage->size;
  tensor.impl_->storage = std::move(storage);
  return tensor;
}

Tensor Tensor::filled(const char* op, const Shape& shape, Number number, Loc loc) {
  const Tensor tensor = allocated(op, shape, loc);
  const auto value = Scalar(number.value);
  if (tensor.numel() == 1)
    tensor.data()[0] = value;
  else
    kernels::table().fill(tensor.numel(), value, tensor.data());
  tensor.storage()->kind = number.kind;
  return tensor;
}

Tensor Tensor::full(const Shape& shape, Number value, Loc loc) { return filled("full", shape, value, loc); }
Tensor Tensor::zeros(const Shape& shape, Loc loc) { return filled("zeros", shape, 0., loc); }
Tensor Tensor::ones(const Shape& shape, Loc loc) { return filled("ones", shape, 1., loc); }

Tensor Tensor::from(const std::vector<Scalar>& values, const Shape& shape, Loc loc) {
  check_sizes("from", shape, loc);
  check_at<ShapeError>(
      loc, std::ssize(values) == shape.numel(), "from: ", values.size(), " values do not fill ", shape);
  const Tensor tensor = empty(shape);
  std::copy(values.begin(), values.end(), tensor.data());
  return tensor;
}

Tensor Tensor::rand(const Shape& shape, Loc loc) {
  const Tensor y = allocated("rand", shape, loc);
  kernels::table().uniform(next_draw(shape), y.data());
  return y;
}

Tensor Tensor::randn(const Shape& shape, Loc loc) {
  const Tensor y = allocated("randn", shape, loc);
  kernels::normal(next_draw(shape), y.data());
  return y;
}

Tensor Tensor::of(const Nested& values) { return from(values.values, values.shape).set_kind(values.kind); }

constinit thread_local UndefinedGradient undefined_gradient;

// Where grad() has returned it in the file that uses an undefined tensor now, it is the likely one.
static std::string likely_gradient(Loc loc) {
  const auto& [name, shape, wanted, asked] = undefined_gradient;
  if (call_lines.op.file || call_lines.arg) loc = call_lines.op.file ? call_lines.op : Loc(*call_lines.arg);
  if (!asked.file || !loc.file || std::string_view(asked.file) != loc.file) return "";
  const std::string who = *name ? text_of('\'', name, "' ", shape) : text_of("a tensor ", shape);
  const char* what = wanted ? " has no gradient yet: backward() has not run, or not through it"
                            : " requires no gradient, so it has none";
  if (asked.line == loc.line) return "; " + who + what;
  return text_of("; perhaps ", who, what, " (grad() at ", asked, ')');
}

void Tensor::throw_undefined(const char* op, Loc loc, const char* what) {
  fail_at<ValueError>(loc, op, *op ? ": " : "", what, " is undefined", likely_gradient(loc));
}

template <class E>
static void check_exact(const char* op, Scalar whole) {
  check<E>(std::abs(whole) < max_whole, op, ": a whole number from ", max_whole,
      " on may have been rounded, and is not taken for an index or a count");
}

void check_ids(const char* op, const Tensor& ids, int64_t n) {
  const auto limit = double(n);
  for (const Scalar *id = ids.data(), *end = id + ids.numel(); id < end; ++id) {
    check<IndexError>(
        *id >= 0 && *id < limit && *id == std::trunc(*id), op, ": id ", *id, " is not a whole number in [0, ", n, ")");
    check_exact<IndexError>(op, *id);
  }
}

void check_counts(const char* op, const Tensor& y) {
  for (int64_t i = 0; y.kind() == Kind::integer && i < y.numel(); ++i) check_exact<ValueError>(op, y.data()[i]);
}

Tensor Tensor::with_shape(const Shape& shape) const {
  const Tensor tensor = over(impl().storage, shape);
  tensor.impl_->data = data();
  tensor.impl_->size = numel();
  tensor.set_detached(impl_->detached);
  return tensor;
}

Tensor Tensor::part(int64_t begin, const Shape& shape) const {
  const Tensor tensor = with_shape(shape);
  tensor.impl_->data += begin;
  tensor.impl_->size = shape.numel();
  return tensor;
}

bool Tensor::overlaps(const Tensor& other, Loc loc) const {
  check_operands("overlaps", Arg(*this, loc), Arg(other, loc));
  return numel() > 0 && other.numel() > 0 && data() < other.data() + other.numel() && other.data() < data() + numel();
}

Tensor Tensor::copied() const {
  const Tensor tensor = empty(shape());
  kernels::table().copy(in_order(numel()), data(), tensor.data());
  tensor.storage()->kind = kind();
  return tensor;
}

Tensor Tensor::apart_from(const Tensor& x) const { return storage().get() == x.storage().get() ? copied() : *this; }

// Write only if it changes: threads may share a leaf.
Tensor Tensor::set_kind(Kind kind) const {
  if (this->kind() != kind) impl_->storage->kind = kind;
  return *this;
}

Tensor Tensor::as_kind(Kind kind, const char* op, Loc loc) const {
  if (kind == this->kind() || kind == Kind::floating) return *this;
  const Tensor y = empty(shape()).set_kind(kind);
  std::transform(data(), data() + numel(), y.data(), [&](Scalar v) { return whole_of(v, op, shape(), loc); });
  return y;
}

Scalar Tensor::whole_of(Scalar value, const char* op, const Shape& shape, Loc loc) {
  check_at<ValueError>(loc, std::isfinite(value), op, ": ", value, " into whole numbers ", shape);
  return std::trunc(value) + 0;  // and no -0
}

Tensor Tensor::off_tape() const {
  Tensor tensor = with_shape(impl("detach").shape);
  tensor.impl_->name = impl_->name;
  tensor.set_detached(true);
  return tensor;
}

constinit thread_local ListedOperand* latest_operand = nullptr;

void ListedOperand::join() {
  older = latest_operand;
  if (older) older->place = &older;
  *(place = &latest_operand) = this;
}

void ListedOperand::leave() {
  *place = older;
  if (older) older->place = place;
}

void check_operands(const char* op, std::span<const Tensor> operands) {
  constexpr const char* nth[] = {"first", "second", "third", "fourth", "fifth"};
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].defined()) continue;
    const size_t n = operands.size();
    const std::string which =
        i < std::size(nth) ? text_of("its ", nth[i], " operand") : text_of("operand ", i + 1, " of ", n);
    operands[i].check_defined(op, failing_line(), n == 1 ? "the tensor" : which.c_str());
  }
}

static Tensor filled_like(const char* op, const Tensor& x, Scalar value, Loc loc) {
  const Shape& shape = x.check_defined(op, loc).shape();
  return Tensor::full(shape, value).set_kind(promoted(x.kind(), kind_of(value)));
}
Tensor zeros_like(const Tensor& x, Loc loc) { return filled_like("zeros_like", x, 0, loc); }
Tensor ones_like(const Tensor& x, Loc loc) { return filled_like("ones_like", x, 1, loc); }
Tensor full_like(const Tensor& x, Scalar value, Loc loc) { return filled_like("full_like", x, value, loc); }
Tensor rand_like(const Tensor& x, Loc loc) { return Tensor::rand(x.check_defined("rand_like", loc).shape()); }
Tensor randn_like(const Tensor& x, Loc loc) { return Tensor::randn(x.check_defined("randn_like", loc).shape()); }

}
