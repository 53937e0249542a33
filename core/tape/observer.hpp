#pragma once

#include <array>
#include <atomic>
#include <bit>

#include "core/tape/modes.hpp"
#include "core/tape/node.hpp"

// Who watches the engine, and what they are told. The engine names none of them.
namespace stepgrad {

class Pass;

// Override what you need. Observers are static objects, which are never destroyed. Each has a place
// of its own: those of smaller places are told first. Who is observing when a backward pass begins
// is told all of it, and nobody else is.
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
  virtual void gradient_begins(Node&, const Tensor& /*dY*/, bool /*by_hook*/) {}
  virtual void gradient_adds(const Input&, const Shape& /*before*/, const Tensor& /*part*/) {}
  virtual void gradient_ends(Node&) {}
  virtual void pass_ends(Pass&) noexcept {}  // told if pass_begins returned

  // What it needs of the engine while it observes.
  virtual bool wants_every_op() const { return false; }    // also those that need no gradient
  virtual bool wants_saved_kept() const { return false; }  // until the pass is over

 private:
  const int place_;
};

// A bit for each place.
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
