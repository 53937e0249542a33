// Demo: gradients of gradients: Newton, a penalty, curvature
#include <iomanip>

#include "core/text_stream.hpp"
#include "demos/parts/cell.hpp"
#include "demos/parts/command_line.hpp"
#include "nn/nn.hpp"

using namespace stepgrad;
using namespace stepgrad::demo;

namespace {

// The network's targets: y = |x₁|, -x₂ for 32 points.
struct Points {
  Tensor x = Tensor::randn({32, 2});
  Tensor y = stack({abs(select(x, 1, 0)), -select(x, 1, 1)}, 1);
};

Tensor loss_of(nn::PositionwiseFeedForward& ffn, const Points& points) {
  const Tensor error = ffn(points.x) - points.y;
  return mean(error * error);
}

// Σ a∘b
Tensor dot(const Tensor& a, const Tensor& b) { return sum(a * b); }

// H·v, the gradient of g·v: a second pass, through the ops that the first one recorded.
Tensor curved(const Tensor& g, const Tensor& w, const Tensor& v) {
  return grad({dot(g, v)}, {w}, {.retain_graph = true})[0];
}

// s with H·s = g, by conjugate gradients (Hestenes & Stiefel 1952), without computing H.
Tensor newton_step(const Tensor& g, const Tensor& w) {
  Tensor s = zeros_like(g), rest = g.detach(), v = rest.clone();
  const Scalar enough = dot(rest, rest).item() * Scalar(1e-10);
  for (int64_t i = 0; i < 2 * g.numel() && dot(rest, rest).item() > enough; ++i) {
    const Tensor Hv = curved(g, w, v);
    const Tensor before = dot(rest, rest), length = before / dot(v, Hv);
    s = s + v * length;
    rest = rest - Hv * length;
    v = rest + v * (dot(rest, rest) / before);
  }
  return s;
}

void one_number() {
  cell("y = x³", "A gradient that was recorded is a tensor like any other");
  RUN(const Tensor x = Tensor::of({2.}).requires_grad_());
  RUN(const Tensor y = sum(x * x * x));
  RUN(const Tensor first = grad({y}, {x}, {.create_graph = true})[0]);
  SHOW_AS("3x²", first);
  SHOW_AS("6x", grad({sum(first)}, {x}, {.retain_graph = true})[0]);
  SHOW_AS("what it was computed by", tape(first));
}

void newton(nn::PositionwiseFeedForward& ffn, const Points& points) {
  cell("Newton", "In w2 the loss is a quadratic: one step of Newton's ends at its lowest point");
  show_definitions({"Points", "loss_of", "dot", "curved", "newton_step"});
  RUN(const Tensor loss = loss_of(ffn, points));
  RUN(const Tensor g = grad({loss}, {ffn.w2}, {.create_graph = true})[0]);
  SHOW_AS("|g|², before", dot(g, g).item());
  RUN(const Tensor s = newton_step(g, ffn.w2));
  RUN({
    const NoGrad no_grad;
    ffn.w2.copy_(ffn.w2 - s);
  });
  RUN(const Tensor after = grad({loss_of(ffn, points)}, {ffn.w2})[0]);
  SHOW_AS("|g|², after one step", dot(after, after).item());
}

void along_the_gradient(nn::PositionwiseFeedForward& ffn, const Points& points) {
  cell("Curvature", "The loss along -g of w1, and the parabola that g and g·H·g foretell");
  RUN(const Tensor loss = loss_of(ffn, points));
  RUN(const Tensor g = grad({loss}, {ffn.w1}, {.create_graph = true})[0]);
  RUN(const Scalar slope = -dot(g, g).item());
  RUN(const Scalar curvature = dot(g.detach(), curved(g, ffn.w1, g.detach())).item());
  SHOW(slope);
  SHOW(curvature);
  show_text("t          loss         foretold");
  const Tensor w1 = ffn.w1.detach().clone(), direction = g.detach();
  for (const Scalar t : {-0.5, -0.25, -0.05, 0., 0.05, 0.25, 0.5}) {
    const NoGrad no_grad;
    ffn.w1.copy_(w1 - direction * t);
    const Scalar now = loss_of(ffn, points).item();
    const Scalar foretold = loss.item() + slope * t + curvature * t * t / 2;
    TextStream line;
    line << std::left << std::setprecision(7) << std::setw(11) << t << std::setw(13) << now << foretold;
    show_text(line.str());
  }
  const NoGrad no_grad;
  ffn.w1.copy_(w1);
}

// |∂output/∂x|² at the points after that many steps, with or without a penalty on it.
Scalar sensitivity_after(int64_t steps, Scalar penalty, const Points& points) {
  manual_seed(3);
  nn::PositionwiseFeedForward ffn(2, 16, /*dropout=*/0);
  nn::AdamW optimizer(ffn.parameters(), 0.01);
  const Tensor x = points.x.clone().requires_grad_();
  Tensor sensitivity;
  for (int64_t i = 0; i < steps; ++i) {
    const Tensor output = ffn(x), error = output - points.y;
    const Tensor g = grad({sum(output)}, {x}, {.create_graph = true})[0];
    sensitivity = mean(g * g);
    const Tensor loss = mean(error * error) + sensitivity * penalty;
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
  return sensitivity.item();
}

void gradient_penalty(const Points& points) {
  cell("Penalty", "A loss with a gradient in it: the outputs learn to change little with x");
  show_definitions({"sensitivity_after"});
  SHOW(sensitivity_after(200, 0, points));
  SHOW(sensitivity_after(200, 1, points));
}

}

int main(int argc, char** argv) {
  CLI::App app("Gradients of gradients.", "demos/run curvature");
  return main_of(app, argc, argv, [&] {
    manual_seed(0);
    nn::PositionwiseFeedForward ffn(2, 8, /*dropout=*/0);
    const Points points;
    one_number();
    newton(ffn, points);
    along_the_gradient(ffn, points);
    gradient_penalty(points);
    return 0;
  });
}
