#pragma once

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The shape in a line of a golden file: "w1.grad [2, 3]".
inline Shape shape_in(const std::string& line) {
  std::vector<int64_t> sizes;
  std::istringstream text(line.substr(line.find('[') + 1));
  for (int64_t size; text >> size; text.ignore()) sizes.push_back(size);
  return Shape(sizes);
}

// The tensors of tests/golden/NAME.txt, which PyTorch computed (tests/golden/generate.py).
inline std::map<std::string, Tensor> golden(const std::string& name) {
  const std::string path = "tests/golden/" + name + ".txt";
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + " is missing");
  std::map<std::string, Tensor> tensors;
  for (std::string header, numbers; std::getline(file, header) && std::getline(file, numbers);) {
    std::vector<Scalar> values;
    std::istringstream text(numbers);
    for (std::string number; text >> number;) values.push_back(std::stod(number));
    tensors[header.substr(0, header.find(' '))] = Tensor::from(values, shape_in(header));
  }
  return tensors;
}

// The largest |actual - expected| / max(1, |expected|); infinity if they differ in shape or in
// where something is not finite.
inline double difference(const Tensor& actual, const Tensor& expected) {
  if (!(actual.shape() == expected.shape())) return std::numeric_limits<double>::infinity();
  double most = 0;
  for (int64_t i = 0; i < actual.numel(); ++i) {
    const double a = actual.data()[i], e = expected.data()[i];
    if (a == e || (std::isnan(a) && std::isnan(e))) continue;
    const double d = std::abs(a - e) / std::max(1., std::abs(e));
    most = std::isfinite(d) ? std::max(most, d) : std::numeric_limits<double>::infinity();
  }
  return most;
}

}  // namespace stepgrad
