#pragma once

#include <concepts>
#include <string>
#include <utility>
#include <vector>

#include "core/modes.hpp"
#include "core/tensor.hpp"

namespace stepgrad::nn {

// What follows from a module's list of parts, and nothing else: no state, nothing virtual, nothing
// registered behind the reader's back. A module derives from Module<itself> and lists its tensors
// and its own modules by hand, once, in the order in which parameters() shall give them:
//
//   template <class Visit> void parts(Visit visit) { visit("w1", w1), visit("dropout", dropout); }
//
// A part is a Tensor, a module, or a vector of modules. A part that is no parameter (a frozen
// table, an undefined bias) is passed over.
template <class Self>
class Module {
 public:
  // Each tensor that requires a gradient once, even if two parts share it, with the dotted path
  // to it, as in PyTorch's state_dict: experts.3.w1.
  std::vector<std::pair<std::string, Tensor>> named_parameters();
  std::vector<Tensor> parameters();

  // Writes zeros into the gradients that exist; where there is none, there is none afterwards.
  void zero_grad();

  // Sets `training` here, if the module has one, and in every part.
  Self& train(bool mode = true);
  Self& eval() { return train(false); }

  // Calls visit(module) for every module in here, inner ones first, and for this one last.
  template <class Visit>
  Self& apply(Visit visit);

  // Names every parameter by its path, for messages, the tape and debuggers. A module made of
  // others calls it at the end of its constructor.
  void name_parameters();

  // forward(x, ...). The ops in there know the line of this call. All on one line: it is one step
  // in a debugger.
  template <class... Rest>
  auto operator()(Arg x, Rest&&... rest) {
    return ModuleCall(x.loc), self().forward(std::move(x.tensor), std::forward<Rest>(rest)...);
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

namespace detail {

template <class Part, class Visit>
void each_tensor(const std::string& path, Part& part, Visit visit) {
  const std::string prefix = path.empty() ? "" : path + '.';
  if constexpr (std::same_as<Part, Tensor>) {
    visit(path, part);
  } else if constexpr (requires { part.parts([](const char*, auto&) {}); }) {
    part.parts([&](const char* name, auto& inner) { each_tensor(prefix + name, inner, visit); });
  } else {
    size_t i = 0;
    for (auto& inner : part) each_tensor(prefix + std::to_string(i++), inner, visit);
  }
}

template <class Part, class Visit>
void each_module(Part& part, Visit visit) {
  if constexpr (requires { part.parts([](const char*, auto&) {}); }) {
    part.parts([&](const char*, auto& inner) { each_module(inner, visit); });
    visit(part);
  } else if constexpr (!std::same_as<Part, Tensor>) {
    for (auto& inner : part) each_module(inner, visit);
  }
}

}  // namespace detail

template <class Self>
std::vector<std::pair<std::string, Tensor>> Module<Self>::named_parameters() {
  std::vector<std::pair<std::string, Tensor>> found;
  detail::each_tensor("", self(), [&](const std::string& path, const Tensor& tensor) {
    if (!tensor.defined() || !tensor.requires_grad()) return;
    for (const auto& [name, other] : found) {
      if (tensor.is(other)) return;
    }
    found.emplace_back(path, tensor);
  });
  return found;
}

template <class Self>
std::vector<Tensor> Module<Self>::parameters() {
  std::vector<Tensor> tensors;
  for (const auto& [name, tensor] : named_parameters()) tensors.push_back(tensor);
  return tensors;
}

template <class Self>
void Module<Self>::zero_grad() {
  for (const Tensor& parameter : parameters()) {
    if (parameter.grad().defined()) parameter.grad().zero_();
  }
}

template <class Self>
Self& Module<Self>::train(bool mode) {
  return apply([mode](auto& module) {
    if constexpr (requires { module.training; }) module.training = mode;
  });
}

template <class Self>
template <class Visit>
Self& Module<Self>::apply(Visit visit) {
  detail::each_module(self(), visit);
  return self();
}

template <class Self>
void Module<Self>::name_parameters() {
  for (const auto& [path, parameter] : named_parameters()) parameter.set_name(path);
}

}  // namespace stepgrad::nn
