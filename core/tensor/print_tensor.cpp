// Tensors printed as by PyTorch with its default options; Kind::integer as integers.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>
#include <string>

#include "core/tensor/tensor.hpp"

namespace stepgrad {
namespace {

constexpr int64_t summary_from = 1000;  // elements
constexpr int64_t edge = 3;             // shown at each end of a dimension in a summary
constexpr int line_width = 80;

constexpr const char *integer = "%.0f", *whole_float = "%.0f.", *decimal = "%.4f",
                     *scientific = "%.4e";

// The format and width of all numbers of one tensor.
struct Format {
  const char* pattern = integer;
  size_t width = 1;

  std::string operator()(double value) const {
    if (std::isnan(value)) value = std::abs(value);  // printf shows its sign
    if (pattern == integer) value += 0.;             // -0 becomes 0
    char text[64];
    std::snprintf(text, sizeof text, std::isfinite(value) ? pattern : "%f", value);
    return std::string(width - std::min(width, std::string_view(text).size()), ' ') + text;
  }
};

// Calls f(offset) for the elements that are shown of the sub-tensor that starts at `offset`.
template <class F>
void each_shown(const Shape& shape, int dim, int64_t offset, bool summary, F f) {
  if (dim == shape.dims()) return f(offset);
  const int64_t n = shape[dim];
  for (int64_t i = 0; i < n; ++i) {
    if (summary && n > 2 * edge && i == edge) i = n - edge;
    each_shown(shape, dim + 1, offset * n + i, summary, f);
  }
}

Format format_for(const Tensor& x, bool summary) {
  double smallest = INFINITY, largest = 0;  // of the finite ones that are not 0
  bool whole = true, finite = true;
  each_shown(x.shape(), 0, 0, summary, [&](int64_t i) {
    const double value = std::abs(double{x.data()[i]});
    if (!std::isfinite(value)) finite = false;
    if (!std::isfinite(value) || value == 0) return;
    smallest = std::min(smallest, value);
    largest = std::max(largest, value);
    whole = whole && value == std::floor(value);
  });
  const bool wide = largest / smallest > 1000 || largest > 1e8 || (!whole && smallest < 1e-4);
  const bool integers = x.kind() == Kind::integer && whole && finite;
  Format format{integers ? integer : wide ? scientific : whole ? whole_float : decimal};
  each_shown(x.shape(), 0, 0, summary, [&](int64_t i) {
    const Scalar value = x.data()[i];
    if (std::isfinite(value) && value != 0) {
      format.width = std::max(format.width, format(value).size());
    }
  });
  return format;
}

struct Printer {
  const Tensor& x;
  const bool summary = x.numel() > summary_from;
  const Format format = format_for(x, summary);

  // The sub-tensor that starts at `offset` (in units of itself), as [...].
  std::string text(int dim, int64_t offset, int indent) const {
    if (dim == x.dim()) return format(x.data()[offset]);
    const int64_t n = x.shape()[dim];
    const bool innermost = dim == x.dim() - 1;
    const auto per_line = std::max<int64_t>(1, (line_width - indent) / (format.width + 2));
    const std::string margin(indent + 1, ' ');
    const std::string between = "," + std::string(x.dim() - dim - 1, '\n') + margin;
    std::string result = "[";
    int64_t shown = 0;
    for (int64_t i = 0; i < n; ++i, ++shown) {
      if (i) result += !innermost ? between : shown % per_line == 0 ? ",\n" + margin : ", ";
      if (summary && n > 2 * edge && i == edge) {
        result += innermost ? " ..." : "...";
        i = n - edge - 1;
      } else {
        result += text(dim + 1, offset * n + i, indent + 1);
      }
    }
    return result + "]";
  }
};

void add_suffix(std::string& text, const std::string& suffix, int indent) {
  // PyTorch counts one character more, and two more on the first line.
  const auto line_start = static_cast<int64_t>(text.rfind('\n'));  // -1: none
  const int64_t last_line = std::ssize(text) - line_start + 1;
  const bool fits = last_line + std::ssize(suffix) + 2 <= line_width;
  text += (fits ? ", " : ",\n" + std::string(indent, ' ')) + suffix;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Tensor& x) {
  if (!x.defined()) return out << "undefined";
  constexpr int indent = sizeof "tensor(" - 1;
  std::string text = "tensor(";
  text += x.numel() ? Printer{x}.text(0, 0, indent) : "[]";
  if (x.numel() == 0 && x.dim() != 1) {
    std::string sizes;
    for (int64_t size : x.shape()) sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
    add_suffix(text, "size=(" + sizes + ")", indent);
  }
  if (x.requires_grad()) {
    add_suffix(text, x.is_leaf() ? "requires_grad=True" : "grad_fn=<" + x.grad_fn() + ">", indent);
  }
  return out << text + ")";
}

}  // namespace stepgrad
