#include "nn/module.hpp"

#include <algorithm>
#include <string_view>

#include "core/check.hpp"
#include "core/tape/tape.hpp"

namespace stepgrad::nn::detail {

thread_local int copied_modules = 0;

// The Self in "... Module<Self>::check_parts() const [with Self = Linear]" and similar texts.
static std::string_view self_in(std::string_view function) {
  const size_t begin = function.find("Self = ") + 7;
  return function.substr(begin, function.find_first_of(";]", begin) - begin);
}

std::vector<std::pair<const Node*, int>> leaf_handles() {
  std::vector<std::pair<const Node*, int>> found;
  const std::lock_guard lock(the_tape.lock);
  for (const Node* node = the_tape.oldest; node; node = node->newer) {
    if (!node->is_leaf() || !node->wants_grad) continue;
    TensorImpl* leaf = static_cast<const AccumulateGrad*>(node)->tensor;
    if (leaf) found.emplace_back(node, __atomic_load_n(&leaf->refs, __ATOMIC_RELAXED));
  }
  return found;
}

void check_all_listed(const char* in, const std::vector<std::pair<const Node*, int>>& before,
    const std::vector<std::pair<const Node*, int>>& after, const Tensors& listed) {
  for (size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    const auto& [node, handles] = after[i];
    if (node != before[i].first || handles <= before[i].second) continue;
    const bool found =
        std::any_of(listed.begin(), listed.end(), [&, node = node](const Tensor& x) { return x.node() == node; });
    const char* quote = *node->name ? "'" : "";
    check<ValueError>(found, "parameters: parts() of ", self_in(in), " leaves out a tensor ", quote, node->name, quote,
        *quote ? " " : "", node->shape, " that requires a gradient, so it would not be trained");
  }
}

static std::string class_in(const char* in) {
  std::string_view name = self_in(in);
  name = name.substr(0, name.find('<'));
  return std::string(name.substr(name.rfind(':') + 1));
}

void fail_undefined(const char* in, Loc loc) { Tensor().check_defined(class_in(in).c_str(), loc, "its input"); }

std::string printed(
    const char* in, const std::string& options, const std::vector<std::pair<std::string, std::string>>& modules) {
  std::string text = class_in(in) + '(' + options;
  for (const auto& [module, inner] : modules) {
    text += "\n  (" + module + "): ";
    for (const char c : inner) text += c == '\n' ? "\n  " : std::string(1, c);
  }
  return text + (modules.empty() ? ")" : "\n)");
}

void check_all_listed(const char* in, int copied, int listed) {
  check<ValueError>(copied <= listed, "parameters: parts() of ", self_in(in), " leaves out ", copied - listed,
      " of its ", copied - 1, " modules, so train() and eval() would not reach there");
}

}
