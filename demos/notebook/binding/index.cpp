#include "demos/notebook/binding/index.hpp"

#include <algorithm>

#include "core/tape/record.hpp"
#include "ops/clone.hpp"
#include "ops/expand.hpp"
#include "ops/index_add.hpp"
#include "ops/reshape.hpp"

namespace stepgrad::python {

// For a picture, which has no use for more of them than it can show.
static Attributes attributes_of(const Places& places) {
  constexpr int64_t most = 4096;
  if (places.layout.shape.numel() > most) return {};
  Attribute list{"places", {}};
  for_each_place(places, [&](int64_t place) { list.values.push_back(static_cast<double>(place)); });
  return {list};
}

// Y[j] = X[places[j]]
// dX[places[j]] += dY[j]
struct IndexBackward final : Node {
  static constexpr Formula formula{"index", "Y[j] = X[i(j)]", "dX[i(j)] += dY[j]"};
  explicit IndexBackward(Places places) : Node(formula), places(std::move(places)) {}
  void backward(Tensor dY) override {
    const Tensor dX = Tensor::zeros(x.shape);
    const Scalar* dy = dY.data();
    for_each_place(places, [&](int64_t i) { dX.data()[i] += *dy++; });  // dX[i(j)] += dY[j]
    x.add_grad(dX);
  }
  void backward_by_ops(Tensor dY) override {
    std::vector<int64_t> ids;
    for_each_place(places, [&](int64_t i) { ids.push_back(i); });
    const Tensor rows = reshape(dY, {dY.numel(), 1});
    x.add_grad(
        reshape(index_add(Tensor::zeros({x.shape.numel(), 1}), Tensor::from(ids), rows), x.shape));
  }
  bool has_second_gradient() const override { return true; }
  Attributes attributes() const override { return attributes_of(places); }
  Input x{this};
  Places places;
};

Ref<Node> record_take(const Tensor& x, const Places& places, Loc loc) {
  const Tensor* const operands[] = {&x};
  return record<IndexBackward>(operands, loc, places);
}

Tensor take(Arg x, const Places& places) {
  Ref<Node> node = record_take(x.tensor, places, x.loc);
  const Tensor y = Tensor::empty(places.layout.shape);
  const Scalar* from = x.data();
  Scalar* to = y.data();
  if (places.offsets)
    for (const int64_t place : *places.offsets) *to++ = from[place];
  else
    copy_out(places.layout, from, to);
  return on_tape(y, std::move(node));
}

// Y = X, but Y[places[j]] = V[j]
// dX = dY, but 0 at the places      dV[j] = dY[places[j]]
struct IndexPutBackward final : Node {
  static constexpr Formula formula{"index_put", "Y = X, Y[i(j)] = V[j]",
                                   "dX = dY, dX[i(j)] = 0   dV[j] = dY[i(j)]"};
  explicit IndexPutBackward(Places places) : Node(formula), places(std::move(places)) {}
  void backward(Tensor dY) override {
    if (v) v.add_grad(python::take(dY, places));  // dV[j] = dY[i(j)]
    if (!x) return;
    for_each_place(places, [&](int64_t i) { dY.data()[i] = 0; });  // dX = dY, dX[i(j)] = 0
    x.add_grad(std::move(dY));
  }
  void backward_by_ops(Tensor dY) override {
    if (v) v.add_grad(python::take(dY, places));
    if (!x) return;
    dY = clone(dY);
    put_(dY, places, Scalar(0));
    x.add_grad(dY);
  }
  bool has_second_gradient() const override { return true; }
  Attributes attributes() const override { return attributes_of(places); }
  Input x{this}, v{this};
  Places places;
};

bool was_put_through_view(const Node& node) {
  const auto* put = dynamic_cast<const IndexPutBackward*>(&node);
  return put && put->places.kind != IndexKind::index;
}

std::string grad_fn(const Node& node) {
  constexpr const char* kinds[] = {"SelectBackward", "SliceBackward", "UnsqueezeBackward",
                                   "IndexBackward", "AsStridedBackward"};
  const auto* index = dynamic_cast<const IndexBackward*>(&node);
  return index ? kinds[static_cast<int>(index->places.kind)] : node.gradient_name();
}

void put_(Arg x, const Places& places, Arg values) {
  const Shape& shape = places.layout.shape;
  if (values.shape() != shape) values.tensor = expand(values, shape);
  const Tensor* const operands[] = {&x.tensor, &values.tensor};
  auto node = record<IndexPutBackward>(operands, x.loc, places);
  const bool overlap = values.tensor.storage().get() == x.tensor.storage().get();
  if (overlap) values.tensor = values.tensor.copied();
  Scalar* to = x.tensor.data();
  const Scalar* value = values.data();
  for_each_place(places, [&](int64_t i) { to[i] = *value++; });
  x.tensor.increment_version();
  on_tape(x.tensor, std::move(node));
}

}  // namespace stepgrad::python
