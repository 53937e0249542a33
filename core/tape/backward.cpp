#include "core/tape/walk.hpp"

// Nothing but the way from loss.backward() to a gradient: a debugger steps through all of it.
extern "C" [[gnu::noinline]] void stepgrad_backward_step(stepgrad::Node& node,
                                                         stepgrad::Tensor dY) {
  node.backward(std::move(dY));
}

namespace stepgrad {

void Tensor::backward(Tensor gradient, bool retain_graph) const {
  Walk walk(*this, std::move(gradient), retain_graph);
  while (Node* node = walk.next()) stepgrad_backward_step(*node, walk.gradient());
}

}  // namespace stepgrad
