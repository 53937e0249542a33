#include "core/tape/pass.hpp"

// The whole way from loss.backward() to a gradient, for stepping in a debugger.
// During a pass, modes.grad is true only with create_graph.
extern "C" [[gnu::noinline]] void stepgrad_backward_step(stepgrad::Node& node, stepgrad::Tensor dY) {
  stepgrad::modes.grad ? node.backward_by_ops(std::move(dY)) : node.backward(std::move(dY));
}

namespace stepgrad {

void Node::backward_by_ops(Tensor dY) { backward(std::move(dY)); }

void Tensor::backward(Tensor gradient, bool retain_graph, bool create_graph, Loc loc) const {
  Pass pass(*this, std::move(gradient), retain_graph, create_graph, loc);
  while (Node* node = pass.next()) stepgrad_backward_step(*node, pass.gradient());
}

}
