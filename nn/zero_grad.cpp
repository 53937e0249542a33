#include "nn/zero_grad.hpp"

#include "core/tape/modes.hpp"

namespace stepgrad::nn {

void zero_grad(const Tensors& parameters, bool set_to_none, Loc loc) {
  const OpCall call(loc);
  check_operands("zero_grad", parameters);
  for (const Tensor& parameter : parameters) {
    if (!parameter.grad().defined()) continue;
    if (set_to_none)
      parameter.set_grad({});
    else
      parameter.grad().zero_();
  }
}

}
