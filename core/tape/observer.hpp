#pragma once

#include <array>
#include <atomic>
#include <bit>

#include "core/tape/modes.hpp"
#include "core/tape/node.hpp"

// Observer hooks. Without observers, backward() is unchanged: while reading it, skip every tell().
namespace stepgrad {

class Pass;

// Override what you need. Observers are static objects that are never destroyed. Each has a place
// of its own; smaller places are notified first. A backward pass notifies only those observers that
// are active when it begins.
class Observer {
 public:
  static constexpr int places = 8;

  explicit constexpr Observer(int place) : place_(place) {}
  Observer(const Observer&) = delete;

  // Starts or stops observing. ValueError: the place does not exist, or is in use.
  void observe(bool on);
  bool observes() const;

  // What these throw, the op or the pass throws.
  virtual void op_begins(Node&, Operands) {}  // inputs are connected, nothing is computed yet
  virtual void op_ends(Node&, const Tensor& /*y*/) {}
  virtual void pass_begins(Pass&) {}        // the root's gradient is set
  virtual void between_gradients(Pass&) {}  // may send the pass back: Pass::revisit
  // by_hook: a hook has changed dY.
  virtual void gradient_begins(Node&, const Tensor& /*dY*/, bool /*by_hook*/) {}
  // A contribution is added at an input. `before`: its shape before un-broadcasting.
  virtual void gradient_adds(const Input&, const Shape& /*before*/, const Tensor& /*g*/) {}
  virtual void gradient_ends(Node&) {}
  virtual void pass_ends(Pass&) noexcept {}  // only if pass_begins returned
  // x's numbers are read by `how` ("item()"): what is computed from them next is not on the tape.
  // into: they are written there, and null if they leave the tensors.
  virtual void numbers_read(const Tensor& /*x*/, const char* /*how*/, Loc, Storage* /*into*/) {}

  // What the engine must provide while it observes.
  virtual bool wants_every_op() const { return false; }    // also nodes for ops without a gradient
  virtual bool wants_steps() const { return false; }       // and under NoGrad, for display
  virtual bool wants_saved_kept() const { return false; }  // saved tensors until the pass ends

 private:
  const int place_;
};

// A set of observers: a bit for each place.
using Observers = unsigned;

namespace observing {
extern std::atomic<Observers> ops;       // active observers
extern std::atomic<Observers> every_op;  // of these, the ones with wants_every_op()
extern std::atomic<Observers> steps;     // those with wants_steps()
extern Observers pass;                   // observers of the innermost backward pass
extern std::array<std::atomic<Observer*>, Observer::places> at;
}

// The only cost without observers.
inline Observers observers() { return observing::ops.load(std::memory_order_acquire); }

// Calls an event on each observer of a set, smallest place first:
//   tell(whom, &Observer::op_ends, node, y)
// Ops inside observers are not recorded.
template <class... Parts>
void tell(Observers whom, auto event, Parts&&... parts) {
  const Unshown ours;
  for (; whom; whom &= whom - 1) {
    Observer* const observer = observing::at[std::countr_zero(whom)];
    (observer->*event)(parts...);
  }
}

// Whether this thread's ops are recorded for display.
inline bool shows_ops() { return observing::steps && modes.shows; }

// Whether what this thread reads may go into the program.
inline bool shows_readings() { return observing::steps && (modes.shows || modes.in_hook); }

inline void tell_read(const Tensor& x, const char* how, Loc loc, Storage* into = nullptr) {
  if (shows_readings()) tell(observing::steps, &Observer::numbers_read, x, how, loc, into);
}

}
