#include "core/tape/node.hpp"

namespace stepgrad {
namespace {

template <class Part>
void append(Part*& first, Part* part) {
  Part** end = &first;
  while (*end) end = &(*end)->next;
  *end = part;
}

}  // namespace

bool Node::is_leaf() const { return &formula == &AccumulateGrad::formula; }

Tensor Node::take(Saved& saved) const {
  return pass.retains ? saved : std::move(static_cast<Tensor&>(saved));
}

Input::Input(Node* owner) { append(owner->inputs, this); }

void Input::connect(const Tensor& tensor) {
  node = Ref<Node>(tensor.node());
  shape = tensor.shape();
  name = tensor.c_name();
}

Saved::Saved(Node* owner, const char* letter) : letter(letter) { append(owner->saved, this); }

Saved& Saved::operator=(const Tensor& tensor) {
  Tensor::operator=(tensor.detach());
  version = storage()->version;
  return *this;
}

Tensor off_tape(Tensor g) {
  if (g.defined() && g.whole()) return g.copied().set_whole(false);
  if (g.defined() && g.node()) return g.detach();
  return g;
}

}  // namespace stepgrad
