#pragma once

#include <string>
#include <vector>

#include "core/trace/crops.hpp"

namespace stepgrad {

// The page's numbers: each tensor once, also if it is both a contribution and a total. Small ones
// are whole; large ones have blocks, each with its most outstanding number, and exact crops.
// Without crops: only the addresses of the numbers, for a page that reads them there.
class Arrays {
 public:
  explicit Arrays(const Crops* crops = nullptr) : crops_(crops) {}
  std::string add(const Tensor& x);  // its index, or null
  std::string json() const;

  // The range and so on of an added tensor, and blocks if it is large. "": not added.
  std::string summary(const Scalar* data, int64_t columns, int64_t count) const;

 private:
  struct Array {
    Tensor x;
    Crop crop;
  };
  const Crops* crops_;
  std::vector<Array> arrays_;
};

// The same tape's tensors with other numbers, under the names that to_json uses.
std::string numbers_json(const Recording& recording, Arrays& arrays);

}
