#include "core/tape/observer.hpp"

#include "core/check.hpp"

namespace stepgrad {
namespace observing {

constinit std::atomic<Observers> ops = 0, every_op = 0, steps = 0;
constinit Observers pass = 0;
constinit std::array<std::atomic<Observer*>, Observer::places> at{};

}

static void set(std::atomic<Observers>& all, Observers me, bool on) {
  if (on)
    all |= me;
  else
    all &= ~me;
}

void Observer::observe(bool on) {
  const bool exists = place_ >= 0 && place_ < places;
  const bool mine = exists && observing::at[place_] == this;
  if (on) {
    check<ValueError>(exists, "observe: place ", place_, " is not one of 0 to ", places - 1);
    check<ValueError>(mine || !(observers() >> place_ & 1), "observe: at place ", place_, " another observer observes");
    observing::at[place_] = this;
  } else if (!mine) {
    return;
  }
  set(observing::every_op, 1u << place_, on && wants_every_op());
  set(observing::steps, 1u << place_, on && wants_steps());
  set(observing::ops, 1u << place_, on);
}

bool Observer::observes() const {
  return place_ >= 0 && place_ < places && observing::at[place_] == this && observers() >> place_ & 1;
}

}
