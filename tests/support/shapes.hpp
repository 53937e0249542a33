#pragma once

#include <algorithm>
#include <vector>

#include "core/tensor/tensor.hpp"

// Shapes to try ops with.
namespace stepgrad {

// Every number of dimensions, sizes of 1 and of 0, and a length that no vector divides.
inline std::vector<Shape> some_shapes() {
  return {{}, {1}, {3}, {17}, {0}, {2, 3}, {3, 1}, {1, 1}, {2, 0}, {4, 2, 3}, {4, 1, 3}, {2, 0, 3}, {2, 1, 3, 2},
      {1, 2, 1, 3, 2}, {2, 1, 3, 1, 2, 2}};
}

struct Broadcast {
  Shape a, b, y;
};

// Every pair of shapes that broadcasts, with the result's shape.
inline std::vector<Broadcast> broadcasting_pairs() {
  const std::vector<Shape> shapes{{}, {1}, {3}, {1, 3}, {2, 1}, {2, 3}, {4, 1, 3}, {4, 2, 1}, {4, 2, 3}, {0}, {2, 0},
      {0, 1}, {0, 3}, {1, 2, 1, 2, 3, 1}, {2, 1, 4, 1, 1, 3}};
  std::vector<Broadcast> pairs;
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      Shape y = a.dims() > b.dims() ? a : b;
      bool broadcasts = true;
      for (int i = 1; i <= std::min(a.dims(), b.dims()); ++i) {
        broadcasts = broadcasts && (a[-i] == b[-i] || a[-i] == 1 || b[-i] == 1);
        y = y.with(y.dims() - i, a[-i] == 1 ? b[-i] : a[-i]);
      }
      if (broadcasts) pairs.push_back({a, b, y});
    }
  }
  return pairs;
}

}
