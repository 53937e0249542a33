#pragma once

#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/memory/pool.hpp"
#include "core/memory/ref.hpp"
#include "core/memory/storage.hpp"
#include "core/random.hpp"
#include "core/shape.hpp"

namespace stepgrad {

class Node;
struct Arg;
void destroy(Node* node);

// A line of source code. As a default argument it is the caller's.
struct Loc {
  const char* file = nullptr;
  int line = 0;
  static Loc here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};
std::ostream& operator<<(std::ostream& out, const Loc& loc);  // ffn.cpp:12

// What a Tensor points to.
struct TensorImpl {
  int refs = 0;
  Shape shape;
  Ref<Storage> storage;
  Ref<Node> node;         // its place on the tape, if it has one
  const char* name = "";  // lives for ever
  ~TensorImpl();
  static void* operator new(size_t bytes) { return pool_allocate(bytes); }
  static void operator delete(void* impl, size_t bytes) { pool_release(impl, bytes); }
};
inline void destroy(TensorImpl* impl) { delete impl; }

// Several dimensions of a tensor; negative ones count from the end.
using Dims = std::initializer_list<int>;

constexpr Scalar infinity = std::numeric_limits<Scalar>::infinity();

// A dense, row-major array of numbers, and its place on the tape.
//
// A Tensor is a handle: a copy is the same tensor, as in PyTorch. clone() makes another one.
// A default-constructed Tensor is undefined (PyTorch's None): but for assignment, defined(), is()
// and printing, everything throws ValueError. Distinct tensors may be used from distinct threads.
class Tensor {
 public:
  Tensor() = default;

  // New tensors. ShapeError: a negative size, or as many values as the shape does not have.
  static Tensor empty(const Shape& shape);  // not initialised
  static Tensor full(const Shape& shape, Scalar value);
  static Tensor zeros(const Shape& shape) { return full(shape, 0); }
  static Tensor ones(const Shape& shape) { return full(shape, 1); }
  static Tensor from(const std::vector<Scalar>& values, const Shape& shape);
  static Tensor of(std::initializer_list<Scalar> values);                       // [n]
  static Tensor of(std::initializer_list<std::initializer_list<Scalar>> rows);  // [m, n]
  static Tensor rand(const Shape& shape);   // uniform in [0, 1), see core/random.hpp
  static Tensor randn(const Shape& shape);  // normal, mean 0 and variance 1

  // Shape and data.
  bool defined() const { return static_cast<bool>(impl_); }
  const Shape& shape() const { return impl().shape; }
  int64_t size(int dim) const { return shape().size(dim); }  // IndexError
  int dim() const { return shape().dims(); }
  int64_t numel() const { return impl().storage->size; }
  // The numbers themselves. The tape does not see who writes through this: see increment_version.
  Scalar* data() const { return impl().storage->data; }
  Scalar item() const;  // ShapeError: not exactly one element
  template <class... Index>
  Scalar at(Index... index) const {
    return data()[offset({static_cast<int64_t>(index)...})];
  }  // IndexError
  std::vector<Scalar> to_vector() const { return {data(), data() + numel()}; }

  // A name for messages, the tape and debuggers.
  std::string_view name() const { return impl().name; }
  Tensor set_name(std::string_view name) const;

  // The tape. requires_grad_ makes a leaf, whose gradient backward() adds up.
  bool requires_grad() const;
  Tensor requires_grad_(bool requires_grad = true) const;  // TapeError: false, of an op's output
  bool is_leaf() const;                                    // not the output of a recorded op
  Node* node() const { return impl().node.get(); }
  // The gradient so far; undefined if none has arrived. TapeError: not a leaf and retain_grad()
  // was not called.
  Tensor grad() const;
  void set_grad(const Tensor& grad) const;  // an undefined one removes it. ShapeError, TapeError
  void retain_grad() const;                 // TapeError: does not require a gradient
  // Called with the gradient of this tensor when a backward pass has all of it; what it returns,
  // if it is defined, takes its place. What is thrown from it leaves gradients partly added.
  // A hook that owns this very tensor keeps it alive until the pass is over, or for a leaf until
  // remove_hook(). Returns a number for that. TapeError: does not require a gradient.
  int register_hook(std::function<Tensor(const Tensor&)> hook) const;
  void remove_hook(int number) const;

  // Adds d(this)/d(leaf) · gradient to the gradient of every leaf that this was computed from.
  // `gradient` has this tensor's shape and may be left out if it has one element (then it is 1).
  // What the tape saved is freed on the way unless it is retained. TapeError, with nothing changed:
  // no gradient is required here, this was walked before, or something saved has been overwritten.
  void backward(Tensor gradient = {}, bool retain_graph = false) const;

  Tensor detach() const;  // the same data, not on the tape

  // In place, here and below, is const: the handle stays the same, and only the numbers change.
  // These are not recorded. TapeError: it is on the tape, and this is no NoGrad scope.
  Tensor fill_(Scalar value) const;
  Tensor zero_() const { return fill_(0); }
  Tensor copy_(const Tensor& source) const;  // ShapeError: another shape

  // Ops as methods; the free functions in ops/ say what they do.
  Tensor clone(Loc loc = Loc::here()) const;
  Tensor contiguous() const { return *this; }
  Tensor clamp(Scalar min, Scalar max = infinity, Loc loc = Loc::here()) const;
  Tensor clamp_(Scalar min, Scalar max = infinity, Loc loc = Loc::here()) const;
  Tensor relu(Loc loc = Loc::here()) const;
  Tensor add_(Arg other) const;
  Tensor mul_(Arg other) const;
  Tensor masked_fill(Arg mask, Scalar value) const;
  Tensor masked_fill_(Arg mask, Scalar value) const;
  Tensor triu(int64_t diagonal = 0, Loc loc = Loc::here()) const;
  Tensor eq(Arg other) const;
  Tensor gt(Arg other) const;
  Tensor lt(Arg other) const;
  Tensor sum(Loc loc = Loc::here()) const;
  Tensor sum(Dims dims, bool keepdim = false, Loc loc = Loc::here()) const;
  Tensor sum(int dim, bool keepdim = false, Loc loc = Loc::here()) const;
  Tensor mean(Loc loc = Loc::here()) const;
  Tensor mean(Dims dims, bool keepdim = false, Loc loc = Loc::here()) const;
  Tensor mean(int dim, bool keepdim = false, Loc loc = Loc::here()) const;
  Tensor reshape(const Shape& shape, Loc loc = Loc::here()) const;
  Tensor view(const Shape& shape, Loc loc = Loc::here()) const;
  Tensor unsqueeze(int dim, Loc loc = Loc::here()) const;
  Tensor squeeze(int dim, Loc loc = Loc::here()) const;
  Tensor expand(const Shape& shape, Loc loc = Loc::here()) const;
  Tensor repeat(const Shape& times, Loc loc = Loc::here()) const;
  Tensor transpose(int dim0, int dim1, Loc loc = Loc::here()) const;
  Tensor permute(Dims dims, Loc loc = Loc::here()) const;

  // For the engine and the ops.
  static Tensor over(Ref<Storage> storage, const Shape& shape);  // REQUIRES: of as many elements
  Tensor with_shape(const Shape& shape) const;  // shares the data, not on the tape
  Tensor copied() const;                        // a copy of the data, not on the tape
  void increment_version() const { ++impl().storage->version; }  // after writing through data()
  bool owned_alone() const { return impl_.alone() && impl_->storage.alone(); }
  bool is(const Tensor& other) const { return impl_.get() == other.impl_.get(); }
  const Ref<Storage>& storage() const { return impl().storage; }
  void set_node(Ref<Node> node) const;
  void forget() const;  // its node and its name: only the data stay
  const char* c_name() const { return impl().name; }

 private:
  TensorImpl& impl() const {
    if (!impl_) [[unlikely]]
      throw_undefined();
    return *impl_;
  }
  [[noreturn]] static void throw_undefined();
  int64_t offset(std::initializer_list<int64_t> index) const;
  Ref<TensorImpl> impl_;
};

std::ostream& operator<<(std::ostream& out, const Tensor& tensor);  // as PyTorch prints it

// An operand of an op: a tensor or a number (which is a tensor without dimensions), and the line of
// the reader's code that passed it. Held by value, so that an op can take over what a dying
// temporary owned.
struct Arg {
  Tensor tensor;
  Loc loc;

  Arg(Tensor tensor, Loc loc = Loc::here());  // ValueError: undefined
  template <class Number>
  requires std::is_arithmetic_v<Number> Arg(Number number, Loc loc = Loc::here())
      : tensor(Tensor::full({}, static_cast<Scalar>(number))), loc(loc) {}

  const Shape& shape() const { return tensor.shape(); }
  int dim() const { return tensor.dim(); }
  int64_t numel() const { return tensor.numel(); }
  const Scalar* data() const { return tensor.data(); }
};

// IndexError, `op` in front, unless every element of `ids` is a whole number in [0, n).
void check_ids(const char* op, const Tensor& ids, int64_t n);

Tensor zeros_like(const Tensor& x);
Tensor ones_like(const Tensor& x);
Tensor full_like(const Tensor& x, Scalar value);
Tensor rand_like(const Tensor& x);
Tensor randn_like(const Tensor& x);

}  // namespace stepgrad
