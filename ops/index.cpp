#include "ops/index.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "core/tape/record.hpp"
#include "ops/expand.hpp"
#include "ops/where.hpp"

namespace stepgrad {

// The places one by one, if they are few: a picture shows those, and index tensors name them.
static Attributes attributes_of(const Places& places) {
  constexpr int64_t most = 4096;
  const Layout& layout = places.layout;
  Attributes all{{"shape", {layout.shape.begin(), layout.shape.end()}}};
  if (!places.offsets) {
    all.push_back({"stride", {layout.stride, layout.stride + layout.shape.dims()}});
    all.push_back({"offset", {double(layout.offset)}});
  }
  if (places.accumulate) all.push_back({"accumulate", {1}});
  if (layout.shape.numel() > most) return all;
  all.push_back({"places", {}});
  for_each_place(places, [&](int64_t i) { all.back().values.push_back(double(i)); });
  return all;
}
static Places places_from(const Attributes& of, Inputs x, size_t operands) {
  const auto whole = [&](const char* name) {
    const std::vector<double>& values = of.all(name);
    return std::vector<int64_t>(values.begin(), values.end());
  };
  const auto has = [&](std::string_view name) {
    return std::any_of(of.begin(), of.end(), [=](auto& one) { return one.name == name; });
  };
  const std::vector<int64_t> sizes = whole("shape");
  const Shape shape{std::span<const int64_t>(sizes)};
  Places places(shape, nullptr);
  if (has("offset"))
    places.layout = Layout(shape, whole("stride").data(), whole("offset")[0]);
  else
    places.offsets = std::make_shared<std::vector<int64_t>>(whole("places"));
  places.accumulate = has("accumulate");
  if (x.size() > operands) places.by = x[operands];
  return places;
}

// Y[j] = X[places[j]]
// dX[places[j]] += dY[j]
struct IndexBackward final : Node {
  static constexpr Formula formula{"index", "Y[j] = X[i(j)]", "dX[i(j)] += dY[j]",
      [](Inputs x, const Attributes& of) { return index(x[0], places_from(of, x, 1)); }, Traits{.moves = true}};
  explicit IndexBackward(Places at) : Node(formula), places(std::move(at)) {
    if (std::exchange(places.by, {}).defined()) by.emplace(this);
  }
  void backward(Tensor dY) override {
    const Tensor dX = Tensor::zeros(x.shape);
    const Scalar* dy = dY.data();
    for_each_place(places, [&](int64_t i) { dX.data()[i] += *dy++; });  // dX[i(j)] += dY[j]
    x.add_grad(dX);
  }
  void backward_by_ops(Tensor dY) override {
    const Tensor dX = Tensor::zeros(x.shape);
    Places added = places;
    added.accumulate = true;
    index_put_(dX, added, dY);
    x.add_grad(dX);
  }
  bool has_second_gradient() const override { return true; }
  Attributes attributes() const override { return attributes_of(places); }
  Input x{this};
  std::optional<Input> by;
  Places places;
};

static Recorded<IndexBackward> recorded(const Tensor& x, const Places& places, Loc loc) {
  const Tensor* const operands[] = {&x, &places.by};
  return record<IndexBackward>({operands, places.by.defined() ? 2u : 1u}, loc, places);
}
Ref<Node> record_index(const Tensor& x, const Places& places, Loc loc) {
  return Ref<Node>(recorded(x, places, loc).get());
}

Tensor index(Arg x, const Places& places) {
  auto node = recorded(x.tensor, places, x.loc);
  const Tensor y = Tensor::empty(places.layout.shape);
  const Scalar* from = x.data();
  Scalar* to = y.data();
  if (places.offsets)
    for (const int64_t place : *places.offsets) *to++ = from[place];
  else
    copy_out(places.layout, from, to);
  return on_tape(y, std::move(node));
}

// The elements of x at `places`, and 0 elsewhere; for a place named twice, the last j.
static Tensor cut(const Tensor& x, const Places& places) {
  const Tensor y = Tensor::empty(places.layout.shape);
  Scalar *from = x.data(), *to = y.data();
  if (places.offsets)
    for (int64_t j = y.numel() - 1; j >= 0; --j) to[j] = std::exchange(from[(*places.offsets)[size_t(j)]], 0);
  else
    for_each_place(places, [&](int64_t i) { *to++ = std::exchange(from[i], 0); });
  return y;
}

// Y = X, but Y[places[j]] = V[j], or += V[j]
// dX = dY, but 0 at the places      dV[j] = dY[places[j]], 0 if V[j] was overwritten
// dX = dY                           dV[j] = dY[places[j]]  if accumulated
struct IndexPutBackward final : Node {
  static Tensor recomputed(Inputs x, const Attributes& of) {
    const Tensor y = x[0].copied().detach_to(Ref<Node>(x[0].node()));
    unsafe_index_put_(y, places_from(of, x, 2), x[1]);
    return y;
  }
  static constexpr Formula formula{
      "index_put", "Y = X, Y[i(j)] = V[j]", "dX = dY, dX[i(j)] = 0   dV[j] = dY[i(j)]", &recomputed};
  static constexpr Formula added{"index_put", "Y = X, Y[i(j)] += V[j]", "dX = dY   dV[j] = dY[i(j)]", &recomputed};
  explicit IndexPutBackward(Places at) : Node(at.accumulate ? added : formula), places(std::move(at)) {
    if (std::exchange(places.by, {}).defined()) by.emplace(this);
  }
  void backward(Tensor dY) override {
    const Tensor dV = places.accumulate ? index(dY, places) : cut(dY, places);
    if (v) v.add_grad(dV);             // dV[j] = dY[i(j)]
    if (x) x.add_grad(std::move(dY));  // dX = dY, dX[i(j)] = 0
  }
  void backward_by_ops(Tensor dY) override {
    const Tensor left = Tensor::ones(dY.shape()), last = cut(left, places);
    const Tensor dV = index(dY, places);
    const Tensor zero = Tensor::zeros({});  // and not dY · 0, which is NaN of NaN
    if (v) v.add_grad(places.accumulate ? dV : where(last, dV, zero));
    if (x) x.add_grad(places.accumulate ? dY : where(left, dY, zero));
  }
  bool has_second_gradient() const override { return true; }
  Attributes attributes() const override { return attributes_of(places); }
  Input x{this}, v{this};
  std::optional<Input> by;
  Places places;
};

template <class N>
static std::optional<IndexKind> kind_in(const Node& node) {
  const auto* found = dynamic_cast<const N*>(&node);
  return found ? std::optional(found->places.kind) : std::nullopt;
}
std::optional<IndexKind> kind_of_index(const Node& node) { return kind_in<IndexBackward>(node); }
std::optional<IndexKind> kind_of_put(const Node& node) { return kind_in<IndexPutBackward>(node); }

// Writes the values; returns the node of the op.
static Recorded<IndexPutBackward> put(const Arg& x, const Places& places, Arg values) {
  const Shape& shape = places.layout.shape;
  if (values.shape() != shape) values.tensor = expand(values, shape);
  const Tensor* const operands[] = {&x.tensor, &values.tensor, &places.by};
  auto node = record<IndexPutBackward>({operands, places.by.defined() ? 3u : 2u}, x.loc, places);
  const bool overlap = values.tensor.storage().get() == x.tensor.storage().get();
  if (overlap) values.tensor = values.tensor.copied();
  Scalar* to = x.tensor.data();
  const Scalar* value = values.data();
  if (places.accumulate)
    for_each_place(places, [&](int64_t i) { to[i] += *value++; });
  else
    for_each_place(places, [&](int64_t i) { to[i] = *value++; });
  return node;
}

void index_put_(Arg x, const Places& places, Arg values) {
  check_in_place("index_put_", x.tensor, x.shape(), values.tensor.requires_grad(), values.tensor.kind());
  written_in_place(x.tensor, put(x, places, std::move(values)));
}

void unsafe_index_put_(Arg x, const Places& places, Arg values) {
  auto node = put(x, places, std::move(values));
  if (places.kind == IndexKind::index) {
    written_in_place(x.tensor, std::move(node));
  } else {  // through a view, in whose base retain_grad() still holds
    drop_unless_needed(x.tensor, node);
    x.tensor.increment_version();
    on_tape(x.tensor, std::move(node));
  }
}

}
