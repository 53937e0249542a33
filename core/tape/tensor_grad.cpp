// Members of Tensor that concern its node: name, gradient, hooks, and in-place writes. backward()
// is in backward.cpp.
#include <cstring>
#include <set>

#include "core/check.hpp"
#include "core/memory/locks.hpp"
#include "core/tape/accumulate.hpp"
#include "core/tape/modes.hpp"
#include "core/tape/observer.hpp"
#include "core/tensor/undefined_gradient.hpp"

namespace stepgrad {
namespace {

// Names are interned and never freed: tensors and nodes hold plain pointers, which a debugger reads
// as text.
const char* interned(std::string_view name) {
  static constinit std::set<std::string, std::less<>>* names = nullptr;
  const std::lock_guard lock(locks::names);
  if (!names) names = new std::set<std::string, std::less<>>;  // outlives static tensors too
  auto found = names->find(name);
  if (found == names->end()) found = names->emplace(name).first;
  return found->c_str();
}

Node& node_for(const char* what, const Tensor& x, Loc loc) {
  const Shape& shape = x.check_defined(what, loc).shape();
  check_at<TapeError>(loc, x.requires_grad(), what, ": ", shape, " does not require a gradient");
  return *x.node();
}

}

TensorImpl::TensorImpl() noexcept = default;

TensorImpl::~TensorImpl() {
  if (detached) storage->count_detached(-1);
  if (!node || !node->is_leaf()) return;
  auto& leaf = static_cast<AccumulateGrad&>(*node);
  if (leaf.tensor != this) return;
  leaf.tensor = nullptr;
  // A gradient with a history may own the leaf's node: without this, they would form a cycle.
  if (leaf.grad.defined() && leaf.grad.node()) leaf.grad = {};
}

Tensor Tensor::set_name(std::string_view name, Loc loc) const {
  impl("set_name", loc).name = interned(name);
  if (node()) node()->name = impl_->name;
  return *this;
}

void Tensor::set_node(Ref<Node> node) const {
  if (node && node->wants_grad) set_detached(false);
  if (impl().node && impl_->node->is_leaf()) {
    static_cast<AccumulateGrad&>(*impl_->node).tensor = nullptr;
  }
  impl_->node = std::move(node);
  if (!impl_->node) return;
  if (impl_->node->is_leaf()) static_cast<AccumulateGrad&>(*impl_->node).tensor = impl_.get();
  impl_->node->shape = shape();
  impl_->node->name = impl_->name;
}

Tensor Tensor::detach_to(Ref<Node> node) const {
  const Tensor y = off_tape();
  y.impl().node = std::move(node);
  return y;
}

void Tensor::set_detached(bool detached) const {
  if (detached == impl().detached) return;
  impl_->detached = detached;
  impl_->storage->count_detached(detached ? 1 : -1);
}

void Tensor::set_data(const Tensor& x) const {
  const bool detached = impl().detached;
  set_detached(false);
  impl_->storage = x.storage();
  impl_->data = x.data();
  impl_->size = x.numel();
  impl_->shape = x.shape();
  set_detached(detached);
  if (node()) node()->shape = shape();
}

bool Tensor::shares_history() const {
  Storage& data = *impl().storage;
  const int sharing = __atomic_load_n(&data.refs, __ATOMIC_RELAXED);
  const int detached = __atomic_load_n(&data.detached, __ATOMIC_RELAXED);
  return sharing - detached > (impl_->detached ? 0 : 1);
}

void Tensor::forget_ops() const {
  if (node() && !node()->is_leaf()) set_node({});
}

void Tensor::forget() const {
  set_node({});
  impl_->name = "";
}

bool Tensor::requires_grad(Loc loc) const {
  const Node* node = impl("requires_grad", loc).node.get();
  return node && node->wants_grad;
}

bool Tensor::is_leaf(Loc loc) const {
  impl("is_leaf", loc);
  return !requires_grad() || node()->is_leaf();
}

std::string Tensor::grad_fn(Loc loc) const {
  impl("grad_fn", loc);
  return requires_grad() ? node()->gradient_name() : "";
}

Tensor Tensor::requires_grad_(bool requires_grad, Loc loc) const {
  impl("requires_grad_", loc);
  check_at<TapeError>(loc, requires_grad || is_leaf(), "requires_grad_: ", shape(), " is the output of ",
      node() ? node()->op() : "", "; detach() it to leave its history behind");
  if (requires_grad == this->requires_grad()) return *this;
  if (node() && node()->is_leaf())  // which keeps its gradient and hooks, and earlier ops' edges
    node()->wants_grad = requires_grad;
  else {
    if (node()) tell_read(*this, "requires_grad_()", {}, storage().get());
    set_node(Ref<Node>(new AccumulateGrad));
  }
  if (requires_grad) set_kind(Kind::floating);
  return *this;
}

Tensor Tensor::grad(Loc loc) const {
  const bool wanted = impl("grad", loc).node && requires_grad();
  check_at<TapeError>(loc, !wanted || node()->is_leaf() || node()->retains_grad, "grad: ", shape(),
      " is the output of ", wanted ? node()->op() : "", " and not a leaf; call retain_grad() on it before backward()");
  if (wanted && node()->grad.defined()) return node()->grad;
  if (!is_in("nn/", loc.file)) undefined_gradient = {c_name(), shape(), wanted, loc};
  return {};
}

void Tensor::set_grad(const Tensor& grad, Loc loc) const {
  Node& node = node_for("set_grad", *this, loc);
  check_at<ShapeError>(loc, !grad.defined() || grad.shape() == shape(), "set_grad: a gradient of ",
      grad.defined() ? grad.shape() : Shape(), " for ", shape());
  check_at<ValueError>(loc, !grad.defined() || !grad.overlaps(*this), "set_grad: ", shape(),
      " has its own numbers as its gradient, and a backward pass would write there");
  node.grad = without_history(grad);
}

Scalar Tensor::item(Loc loc) const {
  const TensorImpl& x = impl("item", loc);
  check_at<ShapeError>(loc, x.size == 1, "item: ", x.shape, " is not a single number");
  tell_read(*this, "item()", loc);
  return x.data[0];
}

void Tensor::tell_data(Loc loc) const {
  for (const char* room : {"core/", "ops/", "nn/", "demos/python/"})
    if (is_in(room, loc.file)) return;  // whose header had another name when this was compiled
  const bool given = (!node() || node()->is_leaf()) && !storage()->of_gradients;
  tell_read(*this, "data()", loc, given ? storage().get() : nullptr);
}

int64_t Tensor::offset(std::initializer_list<int64_t> index, Loc loc) const {
  check_at<IndexError>(loc, int(index.size()) == dim(), "at: ", index.size(), " indices into ", shape());
  int64_t offset = 0;
  int dim = 0;
  for (int64_t i : index) {
    const int64_t size = shape()[dim++];
    check_at<IndexError>(loc, -size <= i && i < size, "at: index ", i, " is outside ", shape());
    offset = offset * size + (i < 0 ? i + size : i);
  }
  tell_read(*this, "at()", loc);
  return offset;
}

std::vector<Scalar> Tensor::to_vector(Loc loc) const {
  const TensorImpl& x = impl("to_vector", loc);
  tell_read(*this, "to_vector()", loc);
  return {x.data, x.data + x.size};
}

void Tensor::retain_grad(Loc loc) const {
  Node& node = node_for("retain_grad", *this, loc);
  node.retains_grad = !node.is_leaf();
}

int Tensor::register_hook(std::function<Tensor(const Tensor&)> hook, Loc loc) const {
  check_at<ValueError>(loc, hook != nullptr, "register_hook: the hook is empty");
  return node_for("register_hook", *this, loc).add_hook(std::move(hook));
}

void Tensor::remove_hook(int number, Loc loc) const { node_for("remove_hook", *this, loc).remove_hook(number); }

Tensor Tensor::fill_(Scalar value, Loc loc) const {
  const Shape& shape = impl("fill_", loc).shape;
  check_at<TapeError>(
      loc, !grad_enabled() || !requires_grad(), "fill_: ", shape, " is on the tape, and fill_ is not recorded");
  if (kind() == Kind::integer) value = whole_of(value, "fill_", shape, loc);
  if (!requires_grad()) forget_ops();
  kernels::table().fill(numel(), value, data());
  increment_version();
  return *this;
}

Tensor Tensor::copy_(const Tensor& source, Loc loc) const {
  check_operands("copy_", Arg(*this, loc), Arg(source, loc));
  const Shape &shape = this->shape(), &given = source.shape();
  check_at<ShapeError>(loc, given == shape, "copy_: ", given, " into ", shape);
  check_at<TapeError>(loc, !grad_enabled() || !(requires_grad() || source.requires_grad()), "copy_: ", shape,
      " or its source is on the tape, and copy_ is not recorded");
  const Tensor held = source.as_kind(kind(), "copy_", loc);
  if (!requires_grad()) forget_ops();
  tell_read(source, "copy_()", {}, storage().get());
  std::memmove(data(), held.data(), size_t(numel()) * sizeof(Scalar));
  increment_version();
  return *this;
}

}
