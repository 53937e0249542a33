// Tensors printed as by PyTorch; Kind::integer as integers.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>

#include "core/tensor/print.hpp"

namespace stepgrad {
namespace {

// The format and width of all numbers of one tensor.
struct Format {
  Elements elements;
  int precision;
  bool whole = true, scientific = false;
  size_t width = 1;

  std::string operator()(double value) const {
    if (elements == Elements::booleans) return padded(value != 0 ? "True" : "False");
    if (std::isnan(value)) value = std::abs(value);  // printf shows its sign
    const bool integer = elements == Elements::integers;
    if (integer) value += 0.;  // -0 becomes 0
    const bool point = !integer && whole && !scientific && std::isfinite(value);
    char text[400];
    std::snprintf(text, sizeof text, scientific && !integer ? "%.*e" : "%.*f",
        integer || point ? 0 : std::min(precision, 300), value);
    return padded(text + std::string(point ? "." : ""));
  }
  std::string padded(const std::string& text) const {
    return std::string(width - std::min(width, text.size()), ' ') + text;
  }
};

struct Printer {
  const Tensor& x;
  const Printing& how;
  const bool summary = double(x.numel()) > how.threshold;
  Format format;

  Printer(const Tensor& x, Elements elements, const Printing& how) : x(x), how(how), format{elements, how.precision} {
    double smallest = INFINITY, largest = 0;  // of the finite ones that are not 0
    each_shown(0, 0, [&](double value) {
      if (!std::isfinite(value) || value == 0) return;
      smallest = std::min(smallest, std::abs(value));
      largest = std::max(largest, std::abs(value));
      format.whole = format.whole && value == std::floor(value);
    });
    format.scientific = largest / smallest > 1000 || largest > 1e8 || (!format.whole && smallest < 1e-4);
    each_shown(0, 0, [&](double value) {
      if (elements == Elements::booleans || (std::isfinite(value) && value != 0))
        format.width = std::max(format.width, format(value).size());
    });
    if (largest > 0) format.scientific = how.sci_mode.value_or(format.scientific);
  }

  bool is_cut(int64_t n) const { return summary && n > 2 * how.edgeitems; }

  // Calls f for the elements that are shown of the sub-tensor that starts at `offset`.
  void each_shown(int dim, int64_t offset, const auto& f) {
    if (dim == x.dim()) return f(double{x.data()[offset]});
    const int64_t n = x.shape()[dim];
    for (int64_t i = 0; i < n; ++i) {
      if (is_cut(n) && i == how.edgeitems) i = n - how.edgeitems;
      if (i < n) each_shown(dim + 1, offset * n + i, f);
    }
  }

  // The sub-tensor that starts at `offset` (in units of itself), as [...].
  std::string text(int dim, int64_t offset, int indent) const {
    if (dim == x.dim()) return format(x.data()[offset]);
    const int64_t n = x.shape()[dim];
    const bool innermost = dim == x.dim() - 1;
    const auto length = int64_t(format.width) + 2;
    const int64_t per_line = std::max<int64_t>(1, (how.linewidth - indent) / length);
    const std::string margin(indent + 1, ' ');
    const std::string between = "," + std::string(x.dim() - dim - 1, '\n') + margin;
    std::string result = "[";
    int64_t shown = 0;
    for (int64_t i = 0; i < n; ++i, ++shown) {
      if (i) result += !innermost ? between : shown % per_line == 0 ? ",\n" + margin : ", ";
      if (is_cut(n) && i == how.edgeitems) {
        result += innermost ? " ..." : "...";
        i = n - how.edgeitems - 1;
      } else {
        result += text(dim + 1, offset * n + i, indent + 1);
      }
    }
    return result + "]";
  }
};

}

std::string text_of(const Tensor& x, Elements elements, const std::vector<std::string>& suffixes, const Printing& how) {
  std::string text = "tensor(";
  const int64_t indent = std::ssize(text);
  text += x.numel() ? Printer(x, elements, how).text(0, 0, int(indent)) : "[]";
  // PyTorch counts one character more, and two more on the first line.
  int64_t last_line = std::ssize(text) - int64_t(text.rfind('\n')) + 1;
  const auto add = [&](const std::string& suffix) {
    const bool fits = last_line + std::ssize(suffix) + 2 <= how.linewidth;
    text += (fits ? ", " : ",\n" + std::string(indent, ' ')) + suffix;
    last_line = (fits ? last_line + 2 : indent) + std::ssize(suffix);
  };
  if (x.numel() == 0 && x.dim() != 1) {
    std::string sizes;
    for (int64_t size : x.shape()) sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
    add("size=(" + sizes + ")");
  }
  for (const std::string& suffix : suffixes) add(suffix);
  return text + ")";
}

std::ostream& operator<<(std::ostream& out, const Tensor& x) {
  if (!x.defined()) return out << "undefined";
  const Scalar *begin = x.data(), *end = begin + x.numel();
  const bool integers = x.kind() == Kind::integer &&
      std::all_of(begin, end, [](Scalar v) { return std::isfinite(v) && v == std::floor(v); });
  std::vector<std::string> suffixes;
  if (x.requires_grad()) suffixes.push_back(x.is_leaf() ? "requires_grad=True" : "grad_fn=<" + x.grad_fn() + ">");
  return out << text_of(x, integers ? Elements::integers : Elements::floats, suffixes);
}

}
