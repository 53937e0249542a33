#pragma once

#include <concepts>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/loc.hpp"
#include "core/memory/pool.hpp"
#include "core/memory/ref.hpp"
#include "core/memory/storage.hpp"
#include "core/tensor/listed_operand.hpp"
#include "core/tensor/nested.hpp"
#include "core/tensor/random.hpp"
#include "core/tensor/shape.hpp"

namespace stepgrad {

class Node;
struct Arg;
void destroy(Node* node);

// What a Tensor points to.
struct TensorImpl {
  int refs = 0;
  Shape shape;
  Ref<Storage> storage;
  Scalar* data = nullptr;  // this tensor's first element in the storage
  int64_t size = 0;        // number of elements
  Ref<Node> node;          // its place on the tape; null: none
  const char* name = "";   // interned, never freed
  bool detached = false;   // made by off_tape(): has no part in the history of its data
  TensorImpl() noexcept;   // both in tape/tensor_grad.cpp, which knows what a node is
  ~TensorImpl();
  static void* operator new(size_t bytes) { return pool_allocate(bytes); }
  static void operator delete(void* impl, size_t bytes) { pool_release(impl, bytes); }
};
inline void destroy(TensorImpl* impl) { delete impl; }

struct Row;
struct RowIterator;
struct ValuesAndIndices;

constexpr Scalar infinity = std::numeric_limits<Scalar>::infinity();

// A Scalar holds every whole number up to 2^24 (a double: 2^53). If one is used as a position or a
// count, ops refuse larger ones.
constexpr int64_t max_whole = int64_t{1} << std::numeric_limits<Scalar>::digits;

class Tensor;
using Tensors = std::vector<Tensor>;

// A dense, row-major array of numbers, and its place on the tape.
//
// A Tensor is a handle: a copy is the same tensor, as in PyTorch. clone() makes another one.
// A default-constructed Tensor is undefined (PyTorch's None): everything except assignment,
// defined(), is() and printing throws ValueError. `a == b` compares element by element and returns
// a tensor; a.is(b) tells whether two handles are the same tensor. Different threads may use
// different tensors at the same time.
class Tensor {
 public:
  Tensor() = default;
  Tensor(const Tensor&) = default;
  Tensor(Tensor&&) = default;
  // Rebinds the handle. Lvalues only: x.select(0, i) = y would rebind a temporary.
  Tensor& operator=(const Tensor&) & = default;
  Tensor& operator=(Tensor&&) & = default;

  // New tensors. ShapeError: a size is negative, or the number of values does not match the shape.
  // ValueError: an integer that a Scalar does not hold exactly.
  static Tensor empty(const Shape& shape, Loc loc = Loc::here());  // not initialised
  static Tensor full(const Shape& shape, Number value, Loc loc = Loc::here());
  static Tensor zeros(const Shape& shape, Loc loc = Loc::here());
  static Tensor ones(const Shape& shape, Loc loc = Loc::here());
  static Tensor from(const std::vector<Scalar>& values, const Shape& shape, Loc loc = Loc::here());
  template <class T>  // from() for values of any arithmetic type
  static Tensor from(const std::vector<T>& values, const Shape& shape, Loc loc = Loc::here()) {
    std::vector<Scalar> scalars;
    for (const T value : values) scalars.push_back(scalar_of(value, loc));
    return from(scalars, shape, loc).set_kind(kind_of_type<T>);
  }
  template <class T>
  static Tensor from(const std::vector<T>& values, CallLine loc = Loc::here()) {  // [n]
    return from(values, {int64_t(values.size())}, loc);
  }
  static Tensor of(const Nested& values);  // {1, 2, 3}: [3]   {{1, 2}, {3, 4}}: [2, 2]   a vector
  static Tensor rand(const Shape& shape,
      Loc loc = Loc::here());                                      // uniform in [0, 1), see random.hpp
  static Tensor randn(const Shape& shape, Loc loc = Loc::here());  // normal, mean 0 and variance 1

  // Shape and data.
  bool defined() const { return static_cast<bool>(impl_); }
  const Tensor& check_defined(const char* op, Loc loc = {}, const char* what = "the tensor") const {
    return impl(op, loc, what), *this;
  }
  bool is(const Tensor& other) const { return impl_.get() == other.impl_.get(); }
  bool overlaps(const Tensor& other, Loc loc = Loc::here()) const;  // elements share memory
  const Shape& shape(Loc loc = Loc::here()) const { return impl("shape", loc).shape; }
  int64_t size(int dim, Loc loc = Loc::here()) const {  // IndexError
    return impl("size", loc).shape.size(dim, loc);
  }
  int dim(Loc loc = Loc::here()) const { return impl("dim", loc).shape.dims(); }
  int64_t numel(Loc loc = Loc::here()) const { return impl("numel", loc).size; }
  Kind kind(Loc loc = Loc::here()) const { return impl("kind", loc).storage->kind; }
  // Points to the elements. The tape does not see writes through it: see increment_version().
  Scalar* data(Loc loc = Loc::here()) const {
    Scalar* const numbers = impl("data", loc).data;
    if (ListedOperand::on && !is_ours(loc.file)) [[unlikely]]
      tell_data(loc);
    return numbers;
  }
  void increment_version(Loc loc = Loc::here()) const {  // data() was written to
    impl("increment_version", loc).storage->increment_version();
  }
  // ShapeError: not exactly one element. What is computed from the number is not on the tape.
  Scalar item(Loc loc = Loc::here()) const;
  template <class... Rest>  // IndexError
  Scalar at(Index first, Rest... rest) const {
    return impl("at", first.loc).data[offset({first.i, int64_t(rest)...}, first.loc)];
  }
  Scalar at(Loc loc = Loc::here()) const { return impl("at", loc).data[offset({}, loc)]; }
  std::vector<Scalar> to_vector(Loc loc = Loc::here()) const;

  // A name for messages, the tape and debuggers.
  std::string_view name(Loc loc = Loc::here()) const { return impl("name", loc).name; }
  Tensor set_name(std::string_view name, Loc loc = Loc::here()) const;

  // The tape. requires_grad_() makes a leaf; backward() adds to its gradient. A leaf after
  // requires_grad_(false) gets none, also from what was recorded before, until requires_grad_().
  bool requires_grad(Loc loc = Loc::here()) const;
  // TapeError: false for an op's output.
  Tensor requires_grad_(bool requires_grad = true, Loc loc = Loc::here()) const;
  bool is_leaf(Loc loc = Loc::here()) const;  // not the output of a recorded op
  // The name of its gradient: MulBackward. Empty if it requires none.
  std::string grad_fn(Loc loc = Loc::here()) const;
  Node* node(Loc loc = Loc::here()) const { return impl("node", loc).node.get(); }
  // The gradient so far; undefined if none has arrived. TapeError: not a leaf and retain_grad()
  // was not called.
  Tensor grad(Loc loc = Loc::here()) const;
  // An undefined tensor removes the gradient. ShapeError: the shapes differ. TapeError: does not
  // require a gradient. ValueError: `grad` shares memory with this tensor.
  void set_grad(const Tensor& grad, Loc loc = Loc::here()) const;
  void retain_grad(Loc loc = Loc::here()) const;  // TapeError: does not require a gradient
  // `hook` is called with the complete gradient of this tensor during a backward pass; a defined
  // result replaces the gradient. If a hook throws, some gradients have been added and others not.
  // A hook that owns this tensor keeps it alive until the pass ends, or until remove_hook() for a
  // leaf. If it owns the loss, and no pass runs to its end, neither is ever freed: capture
  // loss.detach(), or call remove_hook(). A hook must not wait for a backward pass of another
  // thread, which itself waits until this pass ends. Returns the number to pass to remove_hook().
  // TapeError: does not require a gradient. ValueError: `hook` is empty.
  int register_hook(std::function<Tensor(const Tensor&)> hook, Loc loc = Loc::here()) const;
  void remove_hook(int number, Loc loc = Loc::here()) const;

  // Adds d(this)/d(leaf) · gradient to the gradient of every leaf that this was computed from.
  // `gradient` has this tensor's shape; for a tensor of one element its default is 1. Saved tensors
  // are freed during the pass unless retain_graph. TapeError, with nothing changed: this tensor
  // does not require a gradient, backward ran before, or an in-place op has changed a saved tensor.
  // create_graph: the gradients' own ops are recorded, for gradients of gradients.
  void backward(
      Tensor gradient = {}, bool retain_graph = false, bool create_graph = false, Loc loc = Loc::here()) const;

  // The same data, without their history. While a ledger is kept, the tape shows from which tensor.
  [[nodiscard]] Tensor detach(Loc loc = Loc::here()) const;

  // In-place members are const: the handle stays the same, and only the elements change.
  // These three are not recorded, and as in torch, whole numbers take the whole parts of others.
  // TapeError: the tensor requires a gradient and NoGrad is not active.
  Tensor fill_(Scalar value, Loc loc = Loc::here()) const;
  Tensor zero_(Loc loc = Loc::here()) const { return fill_(0, loc); }
  Tensor copy_(const Tensor& source, Loc loc = Loc::here()) const;  // ShapeError: another shape

  // In place, and recorded.
  Tensor add_(Arg other) const;
  Tensor sub_(Arg other) const;
  Tensor mul_(Arg other) const;
  Tensor div_(Arg other) const;
  Tensor clamp_(Scalar min, Scalar max = infinity, Loc loc = Loc::here()) const;
  Tensor masked_fill_(Arg mask, Scalar value) const;

  // x[i] is x.select(0, i), in x's memory; x[i] = y writes over it, see row.hpp.
  Row operator[](Index i) const;
  // for (Tensor row : x) row.add_(1): each x[i] in turn. IndexError: x has no dimension.
  RowIterator begin(Loc loc = Loc::here()) const;
  RowIterator end(Loc loc = Loc::here()) const;

  // Ops as methods, where PyTorch has them; defined in ops/methods.cpp. The headers in ops/
  // document them.
  [[nodiscard]] Tensor add(Arg other) const;
  [[nodiscard]] Tensor sub(Arg other) const;
  [[nodiscard]] Tensor mul(Arg other) const;
  [[nodiscard]] Tensor div(Arg other) const;
  [[nodiscard]] Tensor pow(Arg exponent) const;
  [[nodiscard]] Tensor maximum(Arg other) const;
  [[nodiscard]] Tensor minimum(Arg other) const;
  [[nodiscard]] Tensor matmul(Arg other) const;
  [[nodiscard]] Tensor eq(Arg other) const;
  [[nodiscard]] Tensor ne(Arg other) const;
  [[nodiscard]] Tensor lt(Arg other) const;
  [[nodiscard]] Tensor le(Arg other) const;
  [[nodiscard]] Tensor gt(Arg other) const;
  [[nodiscard]] Tensor ge(Arg other) const;
  [[nodiscard]] bool allclose(Arg other, double rtol = 1e-5, double atol = 1e-8) const;
  [[nodiscard]] Tensor neg(Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor abs(Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor exp(Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor log(Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor sqrt(Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor tanh(Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor sigmoid(Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor erf(Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor trunc(Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor relu(Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor half(Loc loc = Loc::here()) const;      // rounds the values; elements stay fp32
  [[nodiscard]] Tensor bfloat16(Loc loc = Loc::here()) const;  // rounds the values; elements stay fp32
  [[nodiscard]] Tensor clone(Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor contiguous() const { return *this; }
  [[nodiscard]] Tensor clamp(Scalar min, Scalar max = infinity, Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor masked_fill(Arg mask, Scalar value) const;
  [[nodiscard]] Tensor where(Arg mask, Arg other) const;
  [[nodiscard]] Tensor triu(int64_t diagonal = 0, Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor tril(int64_t diagonal = 0, Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor softmax(int dim = -1, Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor log_softmax(int dim = -1, Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor sum(Dims dims = {}, bool keepdim = false, Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor mean(Dims dims = {}, bool keepdim = false, Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor var(Dims dims = {}, bool keepdim = false, int64_t correction = 1, Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor std(Dims dims = {}, bool keepdim = false, int64_t correction = 1, Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor cumsum(int dim, Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor amax(int dim, bool keepdim = false, Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor amin(int dim, bool keepdim = false, Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor max(Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor min(Loc loc = Loc::here()) const;
  [[nodiscard]] ValuesAndIndices max(int dim, bool keepdim = false, Loc loc = Loc::here()) const;
  [[nodiscard]] ValuesAndIndices min(int dim, bool keepdim = false, Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor argmax(Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor argmin(Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor argmax(int dim, bool keepdim = false, Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor argmin(int dim, bool keepdim = false, Loc loc = Loc::here()) const;
  [[nodiscard]] ValuesAndIndices topk(int64_t k, int dim = -1, bool largest = true, Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor gather(int dim, Arg index) const;
  [[nodiscard]] Tensor select(int dim, int64_t i, Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor slice(int dim, int64_t begin, int64_t end, Loc loc = Loc::here()) const;
  [[nodiscard]] Tensors split(int64_t size, int dim = 0, Loc loc = Loc::here()) const;
  [[nodiscard]] Tensors split(const std::vector<int64_t>& sizes, int dim = 0, Loc loc = Loc::here()) const;
  [[nodiscard]] Tensors chunk(int64_t chunks, int dim = 0, Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor reshape(const Shape& shape, Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor view(const Shape& shape, Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor unsqueeze(int dim, Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor squeeze(int dim, Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor expand(const Shape& shape, Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor repeat(const Shape& times, Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor transpose(int dim0, int dim1, Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor t(Loc loc = Loc::here()) const;
  [[nodiscard]] Tensor permute(Dims dims, Loc loc = Loc::here()) const;

  // For the engine and the ops, which have checked: no Loc. REQUIRES: defined.
  static Tensor over(Ref<Storage> storage, const Shape& shape);  // REQUIRES: as many elements
  Tensor with_shape(const Shape& shape) const;                   // shares the data, not on the tape
  Tensor off_tape() const;                                       // likewise, with its name
  Tensor part(int64_t begin,
      const Shape& shape) const;  // a contiguous view from element `begin` on
  Tensor copied() const;          // a copy of the data, not on the tape
  // *this, or a copy if it shares data with x, which the caller will overwrite.
  Tensor apart_from(const Tensor& x) const;
  Tensor set_kind(Kind kind) const;
  // *this, or its whole parts for a tensor of whole numbers. ValueError: one is not finite.
  Tensor as_kind(Kind kind, const char* op, Loc loc = {}) const;
  // True if this is the only handle and covers its whole storage, so that an op may reuse the
  // memory.
  [[gnu::always_inline]] bool owned_alone() const {
    return impl_.alone() && impl_->storage.alone() && impl_->size == impl_->storage->size;
  }
  const Ref<Storage>& storage() const { return impl().storage; }
  void set_node(Ref<Node> node) const;
  void set_data(const Tensor& x) const;    // takes over x's storage and shape
  Tensor detach_to(Ref<Node> node) const;  // off_tape(), then attaches another tensor's node
  void set_detached(bool detached) const;
  bool is_detached() const { return impl().detached; }
  bool shares_history() const;  // shares data with another tensor that is not detached
  void forget_ops() const;      // all its elements are written over: drops an op's node
  void forget() const;          // drops its node and name; the data stay
  const char* c_name() const { return impl().name; }
  static Tensor handle_of(TensorImpl* impl) {  // another one; undefined if null
    Tensor x;
    x.impl_ = Ref<TensorImpl>(impl);
    return x;
  }

 private:
  TensorImpl& impl(const char* op = "", Loc loc = {}, const char* what = "the tensor") const {
    if (!impl_) [[unlikely]]
      throw_undefined(op, loc, what);
    return *impl_;
  }
  // Whether the engine's own code calls: a comparison of literals, made by the compiler.
  static bool is_ours(const char* file) {
    constexpr size_t tree = sizeof(__FILE__) - sizeof("core/tensor/tensor.hpp");
    const auto in = [file](const char* room, size_t n) { return !__builtin_strncmp(file + tree, room, n); };
    return !file ||
        (!__builtin_strncmp(file, __FILE__, tree) &&
            (in("core/", 5) || in("ops/", 4) || in("nn/", 3) || in("demos/python/", 13)));
  }
  void tell_data(Loc loc) const;  // that numbers may be read off the tape
  [[noreturn]] static void throw_undefined(const char* op, Loc loc, const char* what);
  static Tensor filled(const char* op, const Shape& shape, Number value, Loc loc);
  static Scalar whole_of(Scalar value, const char* op, const Shape& shape, Loc loc);
  int64_t offset(std::initializer_list<int64_t> index, Loc loc) const;
  Ref<TensorImpl> impl_;
};

std::ostream& operator<<(std::ostream& out, const Tensor& tensor);  // as PyTorch prints it

// An operand of an op: a tensor, or a number (a tensor without dimensions), and the line of user
// code that passed it. Held by value, so that an op can reuse a temporary's memory.
struct Arg : ListedOperand {
  Tensor tensor;
  CallLine loc;

  Arg(Tensor x, Loc at = Loc::here()) : tensor(std::move(x)), loc(at) {}
  template <class T>
  requires std::is_arithmetic_v<T> Arg(T number, Loc at = Loc::here()) : tensor(Tensor::full({}, number)), loc(at) {}

  // ValueError, which names the function that asks: undefined.
  const Shape& shape(const char* op = __builtin_FUNCTION()) const { return tensor.check_defined(op, loc).shape(); }
  int dim(const char* op = __builtin_FUNCTION()) const { return shape(op).dims(); }
  int64_t numel(const char* op = __builtin_FUNCTION()) const { return shape(op), tensor.numel(); }
  const Scalar* data() const { return tensor.data(); }
};

// ValueError: an operand is undefined; the message says which.
void check_operands(const char* op, std::span<const Tensor> operands);
template <std::same_as<Arg>... Args>
void check_operands(const char* op, const Args&... operands) {
  if (unsigned n = 0; ListedOperand::on) [[unlikely]]
    ((operands.nth = ++n), ...);
  if ((... && operands.tensor.defined())) [[likely]]
    return;
  const Tensor all[] = {operands.tensor...};
  check_operands(op, all);
}
inline Shape broadcast(const char* op, const Arg& a, const Arg& b) {
  check_operands(op, a, b);
  return broadcast(op, a.shape(), b.shape());
}

// The largest or smallest elements along a dimension, and their indices.
struct ValuesAndIndices {
  Tensor values;
  Tensor indices;  // integers, without gradient
};

// Throws IndexError, its message starting with op, unless every element of `ids` is an integer in
// [0, n) and below max_whole, from which on floats skip integers.
void check_ids(const char* op, const Tensor& ids, int64_t n);

// ValueError, `op` in front, if y are integers and one of them is not below max_whole.
void check_counts(const char* op, const Tensor& y);

[[nodiscard]] Tensor zeros_like(const Tensor& x, Loc loc = Loc::here());
[[nodiscard]] Tensor ones_like(const Tensor& x, Loc loc = Loc::here());
[[nodiscard]] Tensor full_like(const Tensor& x, Scalar value, Loc loc = Loc::here());
[[nodiscard]] Tensor rand_like(const Tensor& x, Loc loc = Loc::here());
[[nodiscard]] Tensor randn_like(const Tensor& x, Loc loc = Loc::here());

}

#include "core/tensor/row.hpp"  // what x[i] is
