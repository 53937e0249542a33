#include "demos/lessons/thumbnail.hpp"

#include <cmath>

#include "core/text_stream.hpp"
#include "core/trace/recording.hpp"

namespace stepgrad::demo {
namespace {

constexpr int64_t most_ops = 8, most_cells = 4;  // per row and column
constexpr double width = 240, size = 24, middle = 34;

// Up to 4x4 numbers of a tensor: red above 0, blue below, stronger where larger.
void draw_cells(TextStream& out, const Tensor& x, double left, double top) {
  const int64_t n = x.dim() ? x.size(-1) : 1, columns = std::min(n, most_cells);
  const int64_t rows = std::min(x.numel() / std::max<int64_t>(n, 1), most_cells);
  double largest = 0;
  for (const Scalar value : x.to_vector())
    if (std::isfinite(value)) largest = std::max(largest, std::abs(double{value}));
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      const double value = x.data()[i * n + j], w = (size - 4) / columns, h = (size - 4) / rows;
      const char* sign = std::isfinite(value) ? value > 0 ? "p" : value < 0 ? "n" : "zero" : "nan";
      const double strength =
          largest > 0 && value != 0 && std::isfinite(value) ? 0.3 + 0.7 * std::abs(value) / largest : 1;
      out << "<rect class=" << sign << " x=" << left + 2 + j * w << " y=" << top + 2 + i * h << " width=" << w - 0.5
          << " height=" << h - 0.5 << " opacity=" << strength << " />";
    }
}

void draw_box(TextStream& out, const char* direction, const Tensor& x, double left, double top) {
  if (!x.defined()) return;
  out << "<rect class=" << direction << " x=" << left << " y=" << top << " width=" << size << " height=" << size
      << " rx=4 />";
  draw_cells(out, x, left, top);
}

}

std::string thumbnail(const Tensor& loss) {
  const Recording tape = recording_of(loss, most_ops);
  Tensors gradients(tape.values.size());
  for (const Recording::Step& step : tape.steps) gradients[step.value] = step.dY;
  const double step = width / double(std::max<size_t>(tape.ops.size(), 1));
  TextStream out;
  out << "<svg viewBox=\"0 0 240 68\" aria-hidden=true><path class=forward d=\"M4 " << size / 2 + 2
      << "H236m-5-4 5 4-5 4\"/><path class=backward stroke-dasharray=\"6 3\" d=\"M236 " << middle + size / 2 + 4
      << "H4m5-4-5 4 5 4\"/>";
  for (size_t i = 0; i < tape.ops.size(); ++i) {
    const double left = step * (double(i) + 0.5) - size / 2;
    const int y = tape.ops[i].output;
    draw_box(out, "forward", tape.values[y].value, left, 2);
    draw_box(out, "backward", gradients[y], left, middle + 4);
  }
  return out.str() + "</svg>";
}

}
