#include "core/trace/crops.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <tuple>

#include "core/check.hpp"
#include "core/tensor.hpp"

namespace stepgrad {
namespace {

constexpr int64_t shown_first = 8, shown_around = 3;

int64_t columns_of(const Shape& shape) {
  return shape.dims() ? std::max<int64_t>(shape[-1], 1) : 1;
}
int64_t rows_of(const Shape& shape) { return shape.numel() / columns_of(shape); }

bool among(std::string_view op, std::initializer_list<std::string_view> ops) {
  return std::find(ops.begin(), ops.end(), op) != ops.end();
}

// A view [6144] of w [2048, 3] has w's data, but other rows and columns.
auto key(const Tensor& x) { return std::tuple(x.data(), x.numel(), columns_of(x.shape())); }

void insert_within(const std::set<int64_t>& all, int64_t size, std::set<int64_t>& to) {
  for (const int64_t i : all)
    if (i >= 0 && i < size) to.insert(i);
}

// The places of the n largest numbers by size.
std::vector<int64_t> largest(const Tensor& x, size_t n) {
  const auto size = [&](int64_t i) { return std::isnan(x.data()[i]) ? 0 : std::abs(x.data()[i]); };
  if (n == 1) {
    int64_t most = 0;
    for (int64_t i = 1; i < x.numel(); ++i)
      if (size(i) > size(most)) most = i;
    return {most};
  }
  std::vector<int64_t> places(x.numel());
  std::iota(places.begin(), places.end(), 0);
  n = std::min(n, places.size());
  std::partial_sort(
      places.begin(), places.begin() + static_cast<std::ptrdiff_t>(n), places.end(),
      [&](int64_t a, int64_t b) { return size(a) != size(b) ? size(a) > size(b) : a < b; });
  places.resize(n);
  return places;
}

// The matrix of an operand that a matrix of the product is made of: batches are broadcast.
int64_t matrix_of(const Shape& operand, const Shape& product, int64_t matrix) {
  int64_t found = 0, stride = 1;
  for (int d = 3; d <= product.dims(); matrix /= product[-d++]) {
    const int64_t own = operand.dims() < d ? 1 : operand[-d];
    if (own > 1) found += matrix % product[-d] * stride;
    stride *= own;
  }
  return found;
}

}  // namespace

void Crop::merge(const Crop& other) {
  for (const auto part :
       {&Crop::rows, &Crop::columns, &Crop::whole_rows, &Crop::whole_columns, &Crop::single})
    (this->*part).insert((other.*part).begin(), (other.*part).end());
}

Crops::Crops(const Recording& recording, const Cell& asked)
    : recording_(recording), axes_(2 * recording.values.size()) {
  std::iota(axes_.begin(), axes_.end(), 0);
  join_axes();
  ask(asked);
  const auto& values = recording.values;
  for (size_t v = 0; v < values.size(); ++v) {
    const int i = static_cast<int>(v);
    for (int64_t k = 0; k < shown_first; ++k) places(i, false).insert(k), places(i, true).insert(k);
    cross(values[v].value, i), cross(values[v].grad, i);
  }
  for (const Recording::Op& op : recording.ops) {
    for (const Saved* saved = op.node->saved; saved; saved = saved->next)
      if (saved->defined() && saved->shape() == op.node->shape) cross(*saved, op.output);
    want(op, -1, {}, recording.values[op.output].value);
  }
  for (const Recording::Step& step : recording.steps) {
    cross(step.dY, step.value);
    for (const Recording::Add& add : step.adds) {
      cross(add.part, add.value), cross(add.total, add.value);
      if (step.op >= 0) want(recording.ops[step.op], add.input, step.dY, add.part);
    }
  }
}

const Crop* Crops::of(const Tensor& x) const {
  const auto found = crops_.find(key(x));
  return found == crops_.end() ? nullptr : &found->second;
}

void Crops::ask(const Cell& asked) {
  const auto& values = recording_.values;
  if (!asked.name.empty()) {
    const auto found = std::find_if(values.begin(), values.end(),
                                    [&](const auto& value) { return value.name == asked.name; });
    check<ValueError>(found != values.end(), "trace: no tensor on the tape is called '", asked.name,
                      "'; set_name() gives a tensor its name");
    check<IndexError>(asked.index.size() == static_cast<size_t>(found->shape.dims()),
                      "trace: ", asked.name, ' ', found->shape, " is asked for with ",
                      asked.index.size(), " indices");
    for (size_t d = 0; d < asked.index.size(); ++d) {
      const int64_t size = found->shape[static_cast<int>(d)], i = asked.index[d];
      check<IndexError>(i >= 0 && i < size, "trace: ", asked.name, ' ', found->shape,
                        " is asked for at ", i, " of ", size);
      asked_cell = asked_cell * size + i;
    }
    asked_value = static_cast<int>(found - values.begin());
  } else {
    int64_t most = 0;
    for (const Recording::Step& step : recording_.steps) {
      if (step.op >= 0 || !step.dY.defined() || step.dY.numel() <= most) continue;
      most = step.dY.numel(), asked_value = step.value, asked_cell = largest(step.dY, 1)[0];
    }
  }
  if (asked_value < 0) return;
  const Shape& shape = values[asked_value].shape;
  const int64_t row = asked_cell / columns_of(shape), column = asked_cell % columns_of(shape);
  for (int64_t k = -shown_around; k <= shown_around; ++k) {
    places(asked_value, false).insert(row + k);
    places(asked_value, true).insert(column + k);
  }
}

int Crops::axis(int value, bool column) {
  int at = 2 * value + column;
  while (axes_[at] != at) at = axes_[at] = axes_[axes_[at]];
  return at;
}
void Crops::join(int a, int b) { axes_[a] = b; }

// Joins axes that are the same: x's columns and w1's rows are d_model, so both show the same ones.
void Crops::join_axes() {
  for (const Recording::Op& op : recording_.ops) {
    const auto shape = [&](int value) { return recording_.values[value].shape; };
    const int y = op.output;
    const auto same = [&](int a, bool of_a, int b, bool of_b) {
      join(axis(a, of_a), axis(b, of_b));
    };
    if (among(op.node->op(), {"matmul", "batched_matmul", "linear"}) && op.inputs.size() > 1) {
      const int a = op.inputs[0], b = op.inputs[1];
      const bool transposed = op.node->op() == std::string_view("linear");
      same(y, false, a, false), same(y, true, b, !transposed);
      if (shape(b).dims() < 3) same(a, true, b, transposed);  // else B's rows are of many matrices
      continue;
    }
    for (const int in : op.inputs) {
      if (columns_of(shape(in)) == columns_of(shape(y))) same(in, true, y, true);
      if (rows_of(shape(in)) == rows_of(shape(y))) same(in, false, y, false);
    }
  }
}

void Crops::cross(const Tensor& x, int value) {
  if (!x.defined() || !x.numel()) return;
  Crop& crop = crops_[key(x)];
  insert_within(places(value, false), rows_of(x.shape()), crop.rows);
  insert_within(places(value, true), columns_of(x.shape()), crop.columns);
  crop.single.insert(largest(x, 1)[0]);
}

// Keeps the terms of the sums behind the shown cells of `result`: the output, or the gradient of
// input `target`.
void Crops::want(const Recording::Op& op, int target, const Tensor& dY, const Tensor& result) {
  if (!result.defined() || !result.numel()) return;
  const int value = target < 0 ? op.output : op.inputs[target];
  const int64_t most = largest(result, 1)[0], n = columns_of(result.shape());
  Places rows{most / n}, columns{most % n};
  insert_within(places(value, false), rows_of(result.shape()), rows);
  insert_within(places(value, true), n, columns);
  const auto tensor = [&](size_t i) { return recording_.values[op.inputs[i]].value; };
  const auto shape = [&](size_t i) -> const Shape& {
    return recording_.values[op.inputs[i]].shape;
  };
  const auto whole = [&](const Tensor& x, const Places& rows, const Places& columns) {
    if (!x.defined()) return;
    Crop& crop = crops_[key(x)];
    insert_within(rows, rows_of(x.shape()), crop.whole_rows);
    insert_within(columns, columns_of(x.shape()), crop.whole_columns);
  };
  const std::string_view name = op.node->op();
  const bool transposed = name == "linear";
  if (among(name, {"matmul", "batched_matmul", "linear"}) && op.inputs.size() > 1) {
    const Tensor A = tensor(0), B = tensor(1);
    const Shape &a = shape(0), &b = shape(1), &y = op.node->shape;
    const int64_t high = y.dims() > 1 ? y[-2] : 1;
    if (target == 0) {
      Places rows_of_y, rows_of_b;
      for (int64_t t = 0; t < rows_of(y) / high; ++t)
        for (const int64_t row : rows)
          if (matrix_of(a, y, t) == row / high) {
            rows_of_y.insert(t * high + row % high);
            for (const int64_t k : columns)
              rows_of_b.insert(matrix_of(b, y, t) * columns_of(a) + k);
          }
      whole(dY, rows_of_y, {});
      transposed ? whole(B, {}, columns) : whole(B, rows_of_b, {});
    } else if (target == 1) {
      Places inner;  // k of B's rows, in whichever matrix
      for (const int64_t row : rows) inner.insert(row % columns_of(a));
      whole(A, {}, transposed ? columns : inner);
      whole(dY, {}, transposed ? rows : columns);
    } else {
      Places rows_of_a;
      for (const int64_t row : rows)
        rows_of_a.insert(matrix_of(a, y, row / high) * high + row % high);
      whole(A, rows_of_a, {});
      transposed ? whole(B, columns, {}) : whole(B, {}, columns);
    }
  } else if (among(name, {"softmax", "log_softmax", "layer_norm", "cross_entropy", "cumsum"})) {
    whole(tensor(0), rows, {}), whole(dY, rows, {});
    whole(recording_.values[op.output].value, rows, {});
  } else if (target >= 0 && result.numel() < op.node->shape.numel()) {  // it was broadcast
    whole(dY, {}, columns);
    for (size_t i = 0; i < op.inputs.size(); ++i)
      if (recording_.values[op.inputs[i]].shape == op.node->shape) whole(tensor(i), {}, columns);
  } else if (target < 0 && among(name, {"sum", "mean"}) && tensor(0).defined()) {
    for (const int64_t i : largest(tensor(0), 5)) crops_[key(tensor(0))].single.insert(i);
  }
}

}  // namespace stepgrad
