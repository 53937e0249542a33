#include "core/tape/observer.hpp"

namespace stepgrad {
namespace observing {

constinit std::atomic<Observers> ops = 0, every_op = 0;
constinit Observers pass = 0;
constinit std::array<std::atomic<Observer*>, Observer::places> at{};

}  // namespace observing

static void set(std::atomic<Observers>& all, Observers me, bool on) {
  if (on)
    all |= me;
  else
    all &= ~me;
}

void Observer::observe(bool on) {
  observing::at[place_] = this;
  set(observing::every_op, 1u << place_, on && wants_every_op());
  set(observing::ops, 1u << place_, on);
}

bool Observer::observes() const { return observers() >> place_ & 1; }

}  // namespace stepgrad
