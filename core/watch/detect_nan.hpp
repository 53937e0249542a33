#pragma once

namespace stepgrad {

// Off at first. While it is on, an op that was asked for under no NoGrad, or a gradient, whose
// result holds a NaN or an infinity throws ValueError with its line and the ranges of its inputs.
// So does one whose input held it already, if that was made elsewhere. An in-place op has written
// by then. This keeps the ledger too, and puts ops on the tape whose gradient nobody wants.
void set_detect_nan(bool detect);
bool detects_nan();

}  // namespace stepgrad
