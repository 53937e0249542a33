#pragma once

#include <tuple>

#include "nn/module.hpp"

namespace stepgrad::nn {

// Its modules one after the other, as torch.nn.Sequential:
//   nn::Sequential model(nn::Linear(2, 8), nn::ReLU(), nn::Linear(8, 1));
//   std::get<0>(model.modules).weight     its name: 0.weight
template <class... Modules>
struct Sequential : Module<Sequential<Modules...>> {
  explicit Sequential(Modules... given) : modules(std::move(given)...) { this->name_parameters(); }

  Tensor forward(Tensor x) { return in_order(std::move(x), places); }

  void parts(auto visit) { visit_each(visit, places); }

  std::tuple<Modules...> modules;

 private:
  static constexpr std::index_sequence_for<Modules...> places{};
  template <size_t... i>
  Tensor in_order(Tensor x, std::index_sequence<i...>) {
    ((x = std::get<i>(modules)(std::move(x))), ...);
    return x;
  }
  template <size_t... i>
  void visit_each(auto visit, std::index_sequence<i...>) {
    (visit(std::to_string(i).c_str(), std::get<i>(modules)), ...);
  }
};

}
