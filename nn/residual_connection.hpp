#pragma once

#include "nn/dropout.hpp"
#include "ops/add.hpp"

namespace stepgrad::nn {

// x + dropout(sublayer(x)) for any callable sublayer: a module, a function or a lambda (He et al.
// 2015; Vaswani et al. 2017, 5.4). The gradient also goes past the sublayer.
struct ResidualConnection : Module<ResidualConnection> {
  explicit ResidualConnection(double p = 0.1, OpCall = Loc::here()) : dropout(p) {}  // ValueError

  template <class Sublayer>
  Tensor forward(Tensor x, Sublayer&& sublayer) {
    return x + dropout(sublayer(x));
  }

  template <class Visit>
  void parts(Visit visit) {
    visit("dropout", dropout);
  }

  Dropout dropout;
};

}
