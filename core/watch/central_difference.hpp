#pragma once

#include <utility>

#include "core/kernels/scalar.hpp"

namespace stepgrad {

// While one lives, x is x + h, rounded.
class Moved {
 public:
  Moved(Scalar& x, double h) : x_(x), before_(x) { x = Scalar(before_ + h); }
  ~Moved() { x_ = before_; }
  Moved(const Moved&) = delete;
  double by() const { return double{x_} - double{before_}; }

 private:
  Scalar& x_;
  const Scalar before_;
};

// The derivative of f() by x: (f(x + h) - f(x - h)) / 2h.
double central_difference(Scalar& x, double h, auto f) {
  const auto at = [&](double by) {
    const Moved moved(x, by);
    return std::pair(double{f()}, moved.by());
  };
  const auto [above, up] = at(h);
  const auto [below, down] = at(-h);
  return (above - below) / (up - down);
}

}
