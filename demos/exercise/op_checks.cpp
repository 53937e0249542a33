#include "core/text_stream.hpp"
#include "demos/exercise/check.hpp"

namespace stepgrad::exercise {
namespace {

void check_mul() {
  const auto check = [](const std::string& what, const Shape& a, const Shape& b) {
    compare(what, of(my_mul), of(mul), {named("A", a, 1), named("B", b, 2)}, "my_mul",
            {{"with A and B exchanged",
              [](const Tensors& in) { return (in[0] * in[0] + in[1] * in[1]) / 2; }},
             {"with dY alone", [](const Tensors& in) { return in[0] + in[1]; }}});
  };
  const auto size = draw_sizes(3);
  check("a product", {size[0], size[1]}, {size[0], size[1]});
  check("a product with a row", {size[0], size[1]}, {size[1]});
  check("a product of a row with numbers", {1, size[0]}, {size[1], 1});
  check("a product of a batch", {size[0], size[1], size[2]}, {size[1], 1});
  compare("a product with zeros", of(my_mul), of(mul),
          {Tensor::zeros({2}).set_name("A"), named("B", {2}, 1)});
  compare(
      "a square", [](const Tensors& in) { return my_mul(in[0], in[0]); },
      [](const Tensors& in) { return in[0] * in[0]; }, {named("A", {3}, 1)});
}

void check_residual() {
  const auto check = [](const std::string& what, const Shape& shape) {
    compare(what, of(my_residual), [](const Tensors& in) { return in[0] + in[0] * in[1]; },
            {named("X", shape, 1), named("W", shape, 2)}, "my_residual",
            {{"on the way through the product alone", of(mul)},
             {"on the way around alone", [](const Tensors& in) { return in[0] + in[1]; }}});
  };
  check("X + X·W", {});
  check("X + X·W of some numbers", {draw(2, 6)});
}

void check_matmul() {
  const auto check = [](const std::string& what, const Shape& a, const Shape& b) {
    compare(what, of(my_matmul), of(matmul), {named("A", a, 1), named("B", b, 2)}, "my_matmul",
            {{"with B in place of Bᵀ", [](const Tensors& in) { return matmul(in[0], in[1].t()); }},
             {"with A in place of Aᵀ", [](const Tensors& in) { return matmul(in[0].t(), in[1]); }},
             {"in the other order", [](const Tensors& in) { return matmul(in[1], in[0]); }}});
  };
  const auto size = draw_sizes(4);
  check("A·B", {size[0], size[1]}, {size[1], size[2]});
  check("A·B of squares", {size[0], size[0]}, {size[0], size[0]});
  check("A·B of one row", {1, size[0]}, {size[0], size[1]});
  check("A·B with one column", {size[0], size[1]}, {size[1], 1});
  check("A·B of a batch", {size[0], size[1], size[2]}, {size[2], size[3]});
}

void check_add() {
  const auto check = [](const Shape& shape, const Shape& of_y) {
    part([&] {
      const Tensor a = Tensor::zeros(shape).requires_grad_(), dY = numbers(of_y, 1);
      (a + Tensor::zeros(of_y)).backward(dY);
      TextStream what;
      what << "summed_to(dY " << of_y << ", " << shape << ')';
      check_values(what.str(), answer([&] { return summed_to(dY, shape); }), a.grad());
    });
  };
  const auto size = draw_sizes(3);
  const int64_t b = size[0], n = size[1], m = size[2];
  check({n, m}, {n, m});
  check({1, m}, {1, m});
  check({m}, {n, m});
  check({n, 1}, {n, m});
  check({}, {n, m});
  check({1, m}, {b, n, m});
  check({n, 1}, {b, n, m});
  check({b, 1, 1}, {b, n, m});
}

void check_relu() {
  const Function wanted = [](const Tensors& in) { return relu(in[0]); };
  compare("relu", of(my_relu), wanted, {named("X", {draw(2, 6), draw(2, 6)}, 1)}, "my_relu",
          {{"with nothing cut off", [](const Tensors& in) { return in[0] * 1; }}});
  compare("relu at 0", of(my_relu), wanted, {Tensor::of({-1., 0., 2.}).set_name("X")}, nullptr,
          {{"with ≥ in place of >", [](const Tensors& in) { return clamp(in[0], 0); }}});
  compare("relu of large numbers", of(my_relu), wanted, {Tensor::of({-1e9, 1e9}).set_name("X")});
}

void check_softmax() {
  const Function wanted = [](const Tensors& in) { return softmax(in[0], -1); };
  const auto size = draw_sizes(3);
  compare("softmax", of(my_softmax), wanted, {named("X", {size[0], size[1]}, 1)}, "my_softmax",
          {{"when the row's sum is taken as fixed", [](const Tensors& in) {
              const Tensor each = exp(in[0]);
              return each / sum(each, -1, true).detach();
            }}});
  compare("softmax of a batch", of(my_softmax), wanted,
          {named("X", {size[0], size[1], size[1]}, 1)});
  compare("softmax with ties", of(my_softmax), wanted, {Tensor::ones({2, 3}).set_name("X")});
  compare("softmax of rows of one", of(my_softmax), wanted, {named("X", {size[2], 1}, 1)});
  compare("softmax of large numbers", of(my_softmax), wanted,
          {Tensor::of({{1000., 999., -1000.}}).set_name("X")});
}

void check_layer_norm() {
  const Function wanted = [](const Tensors& in) { return layer_norm(in[0], in[1], in[2]); };
  const auto check = [&](const std::string& what, const Tensor& x) {
    const int64_t n = x.size(-1);
    compare(what, of(my_layer_norm), wanted,
            {x.set_name("x"), named("weight", {n}, 2), named("bias", {n}, 3)}, "my_layer_norm",
            {{"when the row's mean is taken as fixed",
              [](const Tensors& in) {
                const Tensor c = in[0] - mean(in[0], -1, true).detach();
                return c / sqrt(mean(c * c, -1, true) + Scalar(1e-5)) * in[1] + in[2];
              }},
             {"when the row's variance is taken as fixed", [](const Tensors& in) {
                const Tensor c = in[0] - mean(in[0], -1, true);
                return c / sqrt(mean(c * c, -1, true) + Scalar(1e-5)).detach() * in[1] + in[2];
              }}});
  };
  const auto size = draw_sizes(3, 3, 6);
  check("layer norm", numbers({size[0], size[1]}, 1));
  check("layer norm of one row", numbers({1, size[2]}, 1));
  check("layer norm of a batch", numbers({size[1], size[0], size[2]}, 1));
  check("layer norm of almost equal numbers", numbers({size[0], size[1]}, 1) * Scalar(3e-3));
  check("layer norm of equal numbers", Tensor::ones({2, 3}));
}

}  // namespace

const std::vector<Check> op_checks{
    {"mul_backward", my_mul != nullptr, check_mul},
    {"used_twice", my_residual != nullptr, check_residual},
    {"matmul_backward", my_matmul != nullptr, check_matmul},
    {"add_backward", summed_to != nullptr, check_add},
    {"relu_backward", my_relu != nullptr, check_relu},
    {"softmax_backward", my_softmax != nullptr, check_softmax},
    {"layer_norm_backward", my_layer_norm != nullptr, check_layer_norm},
};

}  // namespace stepgrad::exercise
