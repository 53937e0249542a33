#include "demos/notebook/binding/index.hpp"

#include <algorithm>

#include "core/tape/record.hpp"
#include "ops/expand.hpp"

namespace stepgrad::python {

// For a picture, which has no use for more of them than it can show.
static std::vector<Attribute> attributes_of(const Places& places) {
  constexpr size_t most = 4096;
  if (places.offsets->size() > most) return {};
  return {{"places", {places.offsets->begin(), places.offsets->end()}}};
}

// Y[j] = X[places[j]]
// dX[places[j]] += dY[j]
struct IndexBackward final : Node {
  static constexpr const char *forward = "Y[j] = X[i(j)]", *gradient = "dX[i(j)] += dY[j]";
  static constexpr Formula formulas[] = {{"select", forward, gradient},
                                         {"slice", forward, gradient},
                                         {"unsqueeze", forward, gradient},
                                         {"index", forward, gradient}};
  explicit IndexBackward(IndexKind kind) : Node(formulas[static_cast<int>(kind)]) {}
  void backward(Tensor dY) override {
    const Tensor dX = Tensor::zeros(x.shape);
    const Scalar* dy = dY.data();
    for (const int64_t place : *places.offsets) dX.data()[place] += *dy++;  // dX[i(j)] += dY[j]
    x.add_grad(dX);
  }
  std::vector<Attribute> attributes() const override { return attributes_of(places); }
  Input x{this};
  Places places;
};

Tensor take(Arg x, const Places& places) {
  const Tensor* const operands[] = {&x.tensor};
  auto node = record<IndexBackward>(operands, x.loc, places.kind);
  if (node) node->places = places;
  const Tensor y = Tensor::empty(places.shape);
  std::transform(places.offsets->begin(), places.offsets->end(), y.data(),
                 [data = x.data()](int64_t place) { return data[place]; });
  return on_tape(y, std::move(node));
}

// Y = X, but Y[places[j]] = V[j]
// dX = dY, but 0 at the places      dV[j] = dY[places[j]]
struct IndexPutBackward final : Node {
  static constexpr Formula formula{"index_put", "Y = X, Y[i(j)] = V[j]",
                                   "dX = dY, dX[i(j)] = 0   dV[j] = dY[i(j)]"};
  IndexPutBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    if (v) v.add_grad(python::take(dY, places));  // dV[j] = dY[i(j)]
    if (!x) return;
    for (const int64_t place : *places.offsets) dY.data()[place] = 0;  // dX = dY, dX[i(j)] = 0
    x.add_grad(std::move(dY));
  }
  std::vector<Attribute> attributes() const override { return attributes_of(places); }
  Input x{this}, v{this};
  Places places;
};

Tensor put(Arg x, const Places& places, Arg values) {
  values.tensor = expand(values, places.shape);
  auto node = record<IndexPutBackward>(x, values);
  if (node) node->places = places;
  const Tensor y = x.tensor.copied();
  const Scalar* value = values.data();
  for (const int64_t place : *places.offsets) y.data()[place] = *value++;
  return on_tape(y, std::move(node));
}

}  // namespace stepgrad::python
