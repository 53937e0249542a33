#pragma once

namespace stepgrad {

// Whether this thread's modules take fused ops: one node for several steps of the document, faster
// and with less memory, but not to be stepped through. Off at first, or on with STEPGRAD_FUSED=1.
// Throws std::invalid_argument, as FusedOps does, if that variable is neither 0 nor 1 nor empty.
bool fused_ops();

// While one lives, fusing is on (or off) for this thread.
class FusedOps {
 public:
  explicit FusedOps(bool on = true);
  ~FusedOps();
  FusedOps(const FusedOps&) = delete;

 private:
  bool before_;
};

}  // namespace stepgrad
