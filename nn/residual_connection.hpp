#pragma once

#include "nn/dropout.hpp"
#include "ops/add.hpp"

namespace stepgrad::nn {

// x + dropout(sublayer(x)) for any callable sublayer: a module, a function or a lambda (He et al.
// 2015; Vaswani et al. 2017, 5.4). The gradient also goes past the sublayer.
struct ResidualConnection : Module<ResidualConnection> {
  explicit ResidualConnection(double p = 0.1, OpCall = Loc::here()) : dropout(p) {}  // ValueError

  Tensor forward(Tensor x, auto&& sublayer) { return x + dropout(sublayer(x)); }

  void parts(auto visit) { visit("dropout", dropout); }

  Dropout dropout;
};

}
