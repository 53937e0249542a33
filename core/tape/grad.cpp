#include "core/tape/grad.hpp"

#include "core/check.hpp"
#include "core/tape/pass.hpp"

namespace stepgrad {

Tensors grad(const Tensors& outputs, const Tensors& inputs, const GradOptions& options, Loc loc) {
  const Tensors& given = options.grad_outputs;
  for (const Tensor& y : outputs) y.check_defined("grad", loc, "an output");
  for (const Tensor& x : inputs) {
    x.check_defined("grad", loc, "an input");
    check_at<TapeError>(loc, x.requires_grad(), "grad: an input of ", x.shape(), " does not require a gradient");
  }
  check_at<ValueError>(loc, given.empty() || given.size() == outputs.size(), "grad: ", given.size(), " gradients for ",
      outputs.size(), " outputs");
  Tensors first = given.empty() ? Tensors(outputs.size()) : given;
  Pass pass(outputs, std::move(first), options.retain_graph, options.create_graph, loc, inputs);
  while (Node* node = pass.next()) stepgrad_backward_step(*node, pass.gradient());
  Tensors gradients;
  for (const Tensor& x : inputs) {
    gradients.push_back(pass.of_input(x));
    check_at<TapeError>(loc, options.allow_unused || gradients.back().defined(), "grad: the input of ", x.shape(),
        " was not used for the outputs");
  }
  return gradients;
}

}
