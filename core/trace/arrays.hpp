#pragma once

#include <string>
#include <vector>

#include "core/trace/crops.hpp"

namespace stepgrad {

// Numbers of the page: each tensor once, also if it is both a part and a total. Small ones are
// there whole; of large ones blocks, each with the number that stands out most, and crops of true
// numbers.
class Arrays {
 public:
  explicit Arrays(const Crops& crops) : crops_(crops) {}
  std::string add(const Tensor& x);  // its place among them, or null
  std::string json() const;

 private:
  struct Array {
    Tensor x;
    Crop crop;
  };
  const Crops& crops_;
  std::vector<Array> arrays_;
};

}  // namespace stepgrad
