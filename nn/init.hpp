#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad::nn {

// Initialisations, written into parameters in place, as torch.nn.init. Not recorded.

Tensor uniform_(const Tensor& w, Scalar low, Scalar high, Loc loc = Loc::here());

// Uniform within ±√(6 / (in + out)), so that neither values nor gradients grow from layer to layer
// (Glorot & Bengio 2010). w: [out, in] or [in, out]. ShapeError: not two dimensions.
Tensor xavier_uniform_(const Tensor& w, Loc loc = Loc::here());

Tensor zeros_(const Tensor& w, Loc loc = Loc::here());

}
