#pragma once

#include <concepts>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "core/tape/modes.hpp"
#include "core/tensor/tensor.hpp"
#include "nn/zero_grad.hpp"

namespace stepgrad::nn {

namespace detail {

extern thread_local int copied_modules;  // by this thread, to count a module's own modules

// Every live leaf that requires a gradient, and how many handles it has.
std::vector<std::pair<const Node*, int>> leaf_handles();

// The leaves in a module have one handle more `after` it was copied than `before`. `in` is a
// compiler's name of a member of Module<Self>, since RTTI may be off.
void check_all_listed(const char* in, const std::vector<std::pair<const Node*, int>>& before,
    const std::vector<std::pair<const Node*, int>>& after, const Tensors& listed);
void check_all_listed(const char* in, int copied, int listed);

void fail_undefined(const char* in, Loc loc);  // ValueError that names the class

}

// All of this follows from a module's list of parts: no state, nothing virtual, nothing registered
// implicitly. A module derives from Module<itself> and lists its tensors and its own modules once,
// in the order of parameters():
//
//   void parts(auto visit) { visit("w1", w1), visit("dropout", dropout); }
//
// A part is a Tensor, a module, or a vector of modules. A part that is no parameter (a frozen
// table, an undefined bias) is skipped.
//
// A module consists of handles, so its copy shares its tensors, as in PyTorch: the eight copies in
// std::vector<FeedForward>(8, expert) are one expert. clone() makes another module;
// nn/moe_feed_forward.cpp constructs eight one by one. As for handles, a method is const if the
// handles stay the same and only numbers change.
template <class Self>
class Module {
 public:
  Module() = default;
  Module(const Module&) { ++detail::copied_modules; }
  Module(Module&&) = default;
  Module& operator=(const Module&) = default;
  Module& operator=(Module&&) = default;

  // Each tensor that requires a gradient once, even if two parts share it, with the dotted path
  // to it, as in PyTorch's state_dict: experts.3.w1.
  std::vector<std::pair<std::string, Tensor>> named_parameters() const;

  // ValueError, at the first call for a class: parts() leaves out a tensor that requires a
  // gradient, or a module, which would silently not be trained.
  Tensors parameters(Loc loc = Loc::here()) const;

  // Writes zeros into existing gradients, or removes them; creates none.
  void zero_grad(bool set_to_none = false, Loc loc = Loc::here()) const;

  // Another module with the same numbers in tensors of its own. Parts that share a tensor share its
  // copy.
  Self clone() const;

  // Sets `training` here, if the module has one, and in every part.
  Self& train(bool mode = true);
  Self& eval() { return train(false); }

  // Calls visit(module) for every module in this one, inner ones first, then for this one.
  Self& apply(auto visit);

  // Names every parameter by its path, for messages, the tape and debuggers. A module with other
  // modules calls it at the end of its constructor.
  void name_parameters() const;

  // forward(x, ...). Its ops record the line of this call. All on one line: one step in a debugger.
  // ValueError: x is undefined.
  template <class... Rest>
  [[nodiscard]] auto operator()(Arg x, Rest&&... rest) const {
    return ModuleCall(x.loc), self().forward(checked_input(x), std::forward<Rest>(rest)...);
  }

  // Its class, options and modules, as Python prints them. A class with options has a
  // `std::string extra_repr() const`.
  std::string text() const;

 private:
  Self& self() const { return const_cast<Self&>(static_cast<const Self&>(*this)); }
  Tensor checked_input(Arg& x) const {
    if (!x.tensor.defined()) detail::fail_undefined(__PRETTY_FUNCTION__, x.loc);
    return std::move(x.tensor);
  }
  void check_parts() const;
};

namespace detail {

template <class Part>
concept HasParts = requires(Part& part) {
  part.parts([](const char*, auto&) {});
};

template <class Part>
void each_tensor(const std::string& path, Part& part, auto visit) {
  const std::string prefix = path.empty() ? "" : path + '.';
  if constexpr (std::same_as<Part, Tensor>) {
    visit(path, part);
  } else if constexpr (HasParts<Part>) {
    part.parts([&](const char* name, auto& inner) { each_tensor(prefix + name, inner, visit); });
  } else {
    static_assert(std::ranges::range<Part>,
        "a part is a Tensor, a vector of parts, or a module, which lists its own parts: "
        "void parts(auto visit) { visit(\"w\", w); }");
    size_t i = 0;
    if constexpr (std::ranges::range<Part>)
      for (auto& inner : part) each_tensor(prefix + std::to_string(i++), inner, visit);
  }
}

// "Linear(in_features=8, out_features=32, bias=True)", or with a line for each of its modules,
// which come as pairs of name and text. `in` is a compiler's name of a member of Module<Self>.
std::string printed(
    const char* in, const std::string& options, const std::vector<std::pair<std::string, std::string>>& modules);

template <class Part>
void each_module(Part& part, auto visit) {
  if constexpr (HasParts<Part>) {
    part.parts([&](const char*, auto& inner) { each_module(inner, visit); });
    visit(part);
  } else if constexpr (!std::same_as<Part, Tensor>) {
    for (auto& inner : part) each_module(inner, visit);
  }
}

}

template <class Self>
std::vector<std::pair<std::string, Tensor>> Module<Self>::named_parameters() const {
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
Tensors Module<Self>::parameters(Loc loc) const {
  const OpCall call(loc);
  static const bool once = (check_parts(), true);
  static_cast<void>(once);
  Tensors tensors;
  for (const auto& [name, tensor] : named_parameters()) tensors.push_back(tensor);
  return tensors;
}

template <class Self>
void Module<Self>::zero_grad(bool set_to_none, Loc loc) const {
  nn::zero_grad(parameters(loc), set_to_none);
}

// A copy has every part: each leaf with one handle more, and each module that was copied.
template <class Self>
void Module<Self>::check_parts() const {
  if constexpr (std::copy_constructible<Self>) {
    Tensors listed;
    detail::each_tensor("", self(), [&](const std::string&, const Tensor& tensor) {
      if (tensor.defined()) listed.push_back(tensor);
    });
    int modules = 0;
    detail::each_module(self(), [&](const auto&) { ++modules; });
    const auto before = detail::leaf_handles();
    detail::copied_modules = 0;
    const Self copy(self());
    detail::check_all_listed(__PRETTY_FUNCTION__, before, detail::leaf_handles(), listed);
    detail::check_all_listed(__PRETTY_FUNCTION__, detail::copied_modules, modules);
  }
}

template <class Self>
std::string Module<Self>::text() const {
  std::vector<std::pair<std::string, std::string>> modules;
  const auto add = [&](const std::string& name, const auto& part) {
    if constexpr (requires { part.text(); }) modules.emplace_back(name, part.text());
  };
  self().parts([&](const char* name, auto& part) {
    if constexpr (std::ranges::range<decltype(part)>)
      for (size_t i = 0; i < part.size(); ++i) add(name + ('.' + std::to_string(i)), part[i]);
    else
      add(name, part);
  });
  std::string options;
  if constexpr (requires { self().extra_repr(); }) options = self().extra_repr();
  return detail::printed(__PRETTY_FUNCTION__, options, modules);
}

// As Python prints it.
template <class Self>
std::ostream& operator<<(std::ostream& out, const Module<Self>& module) {
  return out << module.text();
}

template <class Self>
Self Module<Self>::clone() const {
  Self copy(self());
  std::vector<std::pair<Tensor, Tensor>> made;
  detail::each_tensor("", copy, [&](const std::string&, Tensor& part) {
    if (!part.defined()) return;
    for (const auto& [from, to] : made) {
      if (!part.is(from)) continue;
      part = to;
      return;
    }
    const Tensor from = part;
    part = from.copied().requires_grad_(from.requires_grad()).set_name(from.name());
    made.emplace_back(from, part);
  });
  return copy;
}

template <class Self>
Self& Module<Self>::train(bool mode) {
  return apply([mode](auto& module) {
    if constexpr (requires { module.training; }) module.training = mode;
  });
}

template <class Self>
Self& Module<Self>::apply(auto visit) {
  detail::each_module(self(), visit);
  return self();
}

template <class Self>
void Module<Self>::name_parameters() const {
  for (const auto& [path, parameter] : named_parameters()) parameter.set_name(path);
}

}
