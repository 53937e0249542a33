#pragma once

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "ops/ops.hpp"
#include "tests/support/catch.hpp"

namespace stepgrad {

// Multiples of 2⁻²² in [-2, 2): the same tensors as those of drawn() in tests/golden/golden.py, if
// they are drawn in the same order.
inline Tensor drawn(const Shape& shape) { return Tensor::rand(shape) * 4 - 2; }

// The largest |actual - expected| / max(1, |expected|) of n elements; infinity if they differ in
// where something is not finite.
inline double difference(const Tensor& actual, const float* expected) {
  double most = 0;
  for (int64_t i = 0; i < actual.numel(); ++i) {
    const double a = actual.data()[i], e = expected[i];
    if (a == e || (std::isnan(a) && std::isnan(e))) continue;
    const double d = std::abs(a - e) / std::max(1., std::abs(e));
    most = std::isfinite(d) ? std::max(most, d) : double(infinity);
  }
  return most;
}

// What PyTorch computed: an entry of tests/golden/golden.bin holds its results, one behind the
// other, in the order in which a test asks for them. Its random numbers begin at seed 0.
//
//   Golden golden("ops/exp", 2e-6);
//   const Tensor x = drawn({2, 3}).requires_grad_(), y = exp(x);
//   golden.next("y", y);
class Golden {
 public:
  static const std::map<std::string, std::vector<float>>& entries() {
    static const auto entries = [] {
      std::ifstream file("tests/golden/golden.bin", std::ios::binary);
      std::map<std::string, std::vector<float>> all;  // the file has them in its order
      for (std::string name, count; file.peek() != '\n' && std::getline(file, name, ':');) {
        std::getline(file, count);
        all.emplace(name, std::stoul(count));
      }
      file.get();
      for (auto& [name, numbers] : all)
        file.read(reinterpret_cast<char*>(numbers.data()), std::streamsize(numbers.size() * sizeof(float)));
      REQUIRE(file);  // it is there, and whole
      return all;
    }();
    return entries;
  }

  Golden(const std::string& entry, double tolerance)
      : entry_(entry), numbers_(entries().at(entry)), tolerance_(tolerance) {
    manual_seed(0);
  }

  void next(const std::string& what, const Tensor& actual) {
    INFO(entry_ << ": " << what);
    REQUIRE(actual.numel() <= std::ssize(numbers_) - at_);
    CHECK(difference(actual, numbers_.data() + at_) < tolerance_);
    at_ += actual.numel();
  }

  void ends() const {
    INFO(entry_);
    CHECK(at_ == std::ssize(numbers_));
  }

 private:
  const std::string entry_;
  const std::vector<float> numbers_;
  const double tolerance_;
  int64_t at_ = 0;
};

}
