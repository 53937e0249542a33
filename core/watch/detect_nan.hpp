#pragma once

namespace stepgrad {

// Off by default. While it is on, an op outside of NoGrad, or a gradient, throws ValueError if its
// result holds a NaN or an infinity, with its line and the ranges of its inputs. It also throws if
// an input already held one that no checked op made. An in-place op has written by then. This also
// keeps a ledger of ranges, and records ops that need no gradient.
void set_detect_nan(bool detect);
bool detects_nan();

}
