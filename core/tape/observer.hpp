#pragma once

#include <array>
#include <atomic>
#include <bit>

#include "core/tape/modes.hpp"
#include "core/tape/node.hpp"

// Who watches the engine, and what they are told. The engine names none of them, but for the ledger
// that a node carries, and without them backward() is the same: a reader of it may pass over every
// tell().
namespace stepgrad {

class Pass;

// Override what you need. Observers are static objects, which are never destroyed. Each has a place
// of its own, and that of the smallest place is told first. A backward pass is told to those who
// observe when it begins, and to nobody else.
class Observer {
 public:
  static constexpr int places = 8;

  explicit constexpr Observer(int place) : place_(place) {}
  Observer(const Observer&) = delete;

  // Begins to observe, or ends it. ValueError: there is no such place, or another observes there.
  void observe(bool on);
  bool observes() const;

  // May throw: then the op, or the pass, does.
  virtual void op_begins(Node&, Operands) {}  // inputs are connected, nothing is computed
  virtual void op_ends(Node&, const Tensor& /*y*/) {}
  virtual void pass_begins(Pass&) {}        // the root's gradient is set
  virtual void between_gradients(Pass&) {}  // may send the pass back: Pass::revisit
  // by_hook: a hook has changed dY.
  virtual void gradient_begins(Node&, const Tensor& /*dY*/, bool /*by_hook*/) {}
  // `part` is added at an input. `before`: its shape before it was summed to the input's.
  virtual void gradient_adds(const Input&, const Shape& /*before*/, const Tensor& /*part*/) {}
  virtual void gradient_ends(Node&) {}
  virtual void pass_ends(Pass&) noexcept {}  // only if pass_begins returned

  // What it needs of the engine while it observes.
  virtual bool wants_every_op() const { return false; }    // also those that need no gradient
  virtual bool wants_saved_kept() const { return false; }  // what nodes saved, until a pass is over

 private:
  const int place_;
};

// A set of observers: a bit for each place.
using Observers = unsigned;

namespace observing {
extern std::atomic<Observers> ops;       // who observes now
extern std::atomic<Observers> every_op;  // who of these wants every op
extern Observers pass;                   // who observes the backward pass that runs now
extern std::array<std::atomic<Observer*>, Observer::places> at;
}  // namespace observing

// All that it costs if nobody observes.
inline Observers observers() { return observing::ops.load(std::memory_order_acquire); }

// tell(whom, &Observer::op_ends, node, y): one after the other.
// What they do is not recorded.
template <class Event, class... Parts>
void tell(Observers whom, Event event, Parts&&... parts) {
  const NoGrad no_grad;
  for (; whom; whom &= whom - 1) {
    Observer* const observer = observing::at[std::countr_zero(whom)];
    (observer->*event)(parts...);
  }
}

}  // namespace stepgrad
