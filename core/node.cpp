#include "core/node.hpp"

#include <cassert>

#include "core/check.hpp"
#include "core/reduce.hpp"
#include "core/tape.hpp"

namespace stepgrad {
namespace {

constexpr Formula leaf{"leaf", "", "grad += dY"};

template <class Part>
void append(Part*& first, Part* part) {
  Part** end = &first;
  while (*end) end = &(*end)->next;
  *end = part;
}

}  // namespace

bool Node::is_leaf() const { return &formula == &leaf; }

Input::Input(Node* owner) { append(owner->inputs, this); }

void Input::connect(const Tensor& tensor) {
  node = Ref<Node>(tensor.node());
  shape = tensor.shape();
  name = tensor.c_name();
}

void Input::add_grad(Tensor g) const {
  assert(broadcast("add_grad", shape, g.shape()) == g.shape());
  accumulate(node->arrived, sum_to(std::move(g), shape));
}

Saved::Saved(Node* owner, const char* letter) : letter(letter) { append(owner->saved, this); }

Saved& Saved::operator=(const Tensor& tensor) {
  Tensor::operator=(tensor.detach());
  version = storage()->version;
  return *this;
}

AccumulateGrad::AccumulateGrad() : Node(leaf) {}

void AccumulateGrad::backward(Tensor dY) { accumulate(grad, std::move(dY)); }

void accumulate(Tensor& sum, Tensor g) {
  if (sum.defined()) {
    kernels::table().add(strides(sum.shape(), sum.shape(), g.shape()), sum.data(), g.data(),
                         sum.data());
    sum.increment_version();
  } else {
    sum = g.owned_alone() ? std::move(g) : g.copied();
  }
}

Tensor off_tape(Tensor g) {
  if (g.defined() && g.node()) return g.detach();
  return g;
}

}  // namespace stepgrad
