#pragma once

#include <string>
#include <vector>

#include "core/trace/crops.hpp"

namespace stepgrad {

// Numbers of the page: each tensor once, also if it is both a part and a total. Small ones are
// there whole; of large ones blocks, each with the number that stands out most, and crops of true
// numbers. Without crops: only where the numbers lie in memory, for a page that reads them there.
class Arrays {
 public:
  explicit Arrays(const Crops* crops = nullptr) : crops_(crops) {}
  std::string add(const Tensor& x);  // its place among them, or null
  std::string json() const;

  // Of one that was added: its range and so on, and blocks if it is large. "": there is none.
  std::string summary(const Scalar* data, int64_t columns, int64_t count) const;

 private:
  struct Array {
    Tensor x;
    Crop crop;
  };
  const Crops* crops_;
  std::vector<Array> arrays_;
};

// The tensors of the same tape with other numbers, under the names that to_json gives them.
std::string numbers_json(const Recording& recording, Arrays& arrays);

}  // namespace stepgrad
