#include "core/tape/grad.hpp"

#include "core/check.hpp"
#include "core/tape/tape.hpp"

namespace stepgrad {
namespace {

// Moves the gradients of all nodes of the pass aside, so that each of `inputs` starts without one
// and retains the one that arrives. The destructor restores them.
class GradientsAside {
 public:
  GradientsAside(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs) {
    for (const Tensor& y : outputs)
      for (Node* node : reachable(y)) keep(*node);
    for (const Tensor& x : inputs) {
      keep(*x.node());
      x.retain_grad();
    }
  }
  ~GradientsAside() {
    for (auto kept = kept_.rbegin(); kept != kept_.rend(); ++kept) {
      kept->node->grad = std::move(kept->grad);
      kept->node->retains_grad = kept->retained;
    }
  }

 private:
  struct Kept {
    Ref<Node> node;
    Tensor grad;
    bool retained;
  };
  void keep(Node& node) {
    kept_.push_back({Ref<Node>(&node), std::move(node.grad), node.retains_grad});
    node.grad = {};
    node.retains_grad = false;
  }
  std::vector<Kept> kept_;
};

}

std::vector<Tensor> grad(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
    const GradOptions& options, Loc loc) {
  const std::vector<Tensor>& given = options.grad_outputs;
  for (const Tensor& y : outputs) y.check_defined("grad", loc, "an output");
  for (const Tensor& x : inputs) {
    x.check_defined("grad", loc, "an input");
    check_at<TapeError>(
        loc, x.requires_grad(), "grad: an input of ", x.shape(), " does not require a gradient");
  }
  check_at<ValueError>(loc, given.empty() || given.size() == outputs.size(), "grad: ", given.size(),
      " gradients for ", outputs.size(), " outputs");
  const GradientsAside aside(outputs, inputs);
  for (size_t i = 0; i < outputs.size(); ++i) {
    const bool last = i + 1 == outputs.size();
    outputs[i].backward(given.empty() ? Tensor() : given[i], options.retain_graph || !last,
        options.create_graph, loc);
  }
  std::vector<Tensor> gradients;
  for (const Tensor& x : inputs) {
    check_at<TapeError>(loc, options.allow_unused || x.node()->grad.defined(),
        "grad: the input of ", x.shape(), " was not used for the outputs");
    gradients.push_back(x.node()->grad);
  }
  return gradients;
}

}
