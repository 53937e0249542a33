// The C++ side of demos/run exchange: reads weights and an input, computes, compares, writes back.
#include <algorithm>
#include <cmath>
#include <iostream>

#include "demos/parts/said.hpp"
#include "nn/feed_forward.hpp"
#include "nn/files/safetensors.hpp"
#include "ops/ops.hpp"

using namespace stepgrad;

namespace {

// The largest |a - b| relative to the largest |b|.
double difference(const Tensor& a, const Tensor& b) {
  if (!(a.shape() == b.shape())) return infinity;
  double most = 0, largest = 0;
  for (int64_t i = 0; i < b.numel(); ++i) {
    const double apart = std::abs(a.data()[i] - b.data()[i]);
    if (!std::isfinite(apart)) return infinity;
    most = std::max(most, apart);
    largest = std::max<double>(largest, std::abs(b.data()[i]));
  }
  return most / largest;
}

}

int main() try {
  nn::FeedForward ffn(6, 20, 0);
  nn::load_safetensors("weights.safetensors", ffn.named_parameters());
  const Tensor x = nn::load_safetensors("input.safetensors").at(0).second, y = ffn(x);
  sum(y * y).backward();

  nn::NamedTensors found{{"y", y}};
  for (const auto& [name, parameter] : ffn.named_parameters()) {
    found.emplace_back(name, parameter.grad());
  }
  double worst = 0;
  for (const auto& [name, expected] : nn::load_safetensors("expected.safetensors")) {
    const auto same = [&name = name](const auto& other) { return other.first == name; };
    const Tensor& ours = std::find_if(found.begin(), found.end(), same)->second;
    const double apart = difference(ours, expected);
    std::cout << "  " << name << ' ' << expected.shape() << ": " << apart << " apart\n";
    worst = std::max(worst, apart);
  }
  nn::save_safetensors("found.safetensors", found);
  std::cout << "stepgrad wrote found.safetensors\n";
  return demo::said(worst <= 1e-5 ? 0 : 1, "exchange");
} catch (const std::exception& error) {
  std::cerr << "exchange: " << error.what() << '\n';
  return 1;
}
