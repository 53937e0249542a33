#include "core/trace/crops.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "core/check.hpp"
#include "core/tensor.hpp"
#include "core/trace/sums.hpp"

namespace stepgrad {
namespace {

constexpr int64_t shown_first = 8, shown_around = 3;
constexpr int64_t any = -1;  // index

int64_t columns_of(const Shape& shape) { return shape.dims() ? std::max<int64_t>(shape[-1], 1) : 1; }
int64_t rows_of(const Shape& shape) { return shape.numel() / columns_of(shape); }

// A view [6144] of w [2048, 3] has w's data, but other rows and columns.
auto key(const Tensor& x) { return std::tuple(x.data(), x.numel(), columns_of(x.shape())); }

void insert_within(const std::set<int64_t>& all, int64_t size, std::set<int64_t>& to) {
  for (const int64_t i : all)
    if (i >= 0 && i < size) to.insert(i);
}

Scalar size_at(const Tensor& x, int64_t i) { return std::isnan(x.data()[i]) ? 0 : std::abs(x.data()[i]); }

// The places of the n largest numbers by size.
std::vector<int64_t> largest(const Tensor& x, size_t n) {
  const auto size = [&](int64_t i) { return size_at(x, i); };
  if (n == 1) {
    int64_t most = 0;
    for (int64_t i = 1; i < x.numel(); ++i)
      if (size(i) > size(most)) most = i;
    return {most};
  }
  std::vector<int64_t> places(x.numel());
  std::iota(places.begin(), places.end(), 0);
  n = std::min(n, places.size());
  std::partial_sort(places.begin(), places.begin() + std::ptrdiff_t(n), places.end(),
      [&](int64_t a, int64_t b) { return size(a) != size(b) ? size(a) > size(b) : a < b; });
  places.resize(n);
  return places;
}

// The place of the largest number among the first rows and columns; of all, if these are 0.
int64_t largest_in_view(const Tensor& x) {
  const int64_t n = columns_of(x.shape()), rows = std::min(shown_first, rows_of(x.shape()));
  int64_t most = 0;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t i = row * n; i < row * n + std::min(shown_first, n); ++i)
      if (size_at(x, i) > size_at(x, most)) most = i;
  return size_at(x, most) > 0 ? most : largest(x, 1)[0];
}

}

void Crop::merge(const Crop& other) {
  for (const auto part : {&Crop::rows, &Crop::columns, &Crop::whole_rows, &Crop::whole_columns, &Crop::single})
    (this->*part).insert((other.*part).begin(), (other.*part).end());
}

Crops::Crops(const Recording& recording, const Cell& asked)
    : recording_(recording), axes_(2 * recording.values.size()) {
  std::iota(axes_.begin(), axes_.end(), 0);
  join_axes();
  ask(asked);
  const auto& values = recording.values;
  for (size_t v = 0; v < values.size(); ++v) {
    const int i = int(v);
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
    const auto found =
        std::find_if(values.begin(), values.end(), [&](const auto& value) { return value.name == asked.name; });
    check<ValueError>(found != values.end(), "trace: no tensor on the tape is called '", asked.name,
        "'; set_name() gives a tensor its name");
    check<IndexError>(asked.index.size() == size_t(found->shape.dims()), "trace: ", asked.name, ' ', found->shape,
        " is asked for with ", asked.index.size(), " indices");
    for (size_t d = 0; d < asked.index.size(); ++d) {
      const int64_t size = found->shape[int(d)], i = asked.index[d];
      check<IndexError>(
          i >= 0 && i < size, "trace: ", asked.name, ' ', found->shape, " is asked for at ", i, " of ", size);
      asked_cell = asked_cell * size + i;
    }
    asked_value = int(found - values.begin());
  } else {  // of the largest leaves the one that the program uses first
    int64_t most = 0;
    for (const Recording::Step& step : recording_.steps) {
      const int64_t n = step.op < 0 && step.dY.defined() ? step.dY.numel() : 0;
      if (n < most || !n || (n == most && step.value > asked_value)) continue;
      most = n, asked_value = step.value, asked_cell = largest_in_view(step.dY);
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

int Crops::axis_at(int at) {
  while (axes_[at] != at) at = axes_[at] = axes_[axes_[at]];
  return at;
}
void Crops::join(int a, int b) { axes_[a] = b; }

// Joins axes that are the same: x's columns and w1's rows are d_model, so both show the same ones.
void Crops::join_axes() {
  for (const Recording::Op& op : recording_.ops) {
    const auto shape = [&](int value) { return recording_.values[value].shape; };
    const int y = op.output;
    if (is_sum(op.node->formula)) {
      std::map<std::string, int> first;  // by letters
      std::vector<int> values = op.inputs;
      values.push_back(y);
      for (size_t i = values.size(); i-- > 0;)
        for (const bool column : {false, true}) {
          const std::string& cell = op.cells[i];
          if (cell.empty()) continue;
          const std::string at = column ? cell.substr(cell.size() - 1) : cell.substr(0, cell.size() - 1);
          const int own = axis(values[i], column);
          join(own, axis_at(first.emplace(at, own).first->second));
        }
      continue;
    }
    for (const int in : op.inputs) {
      if (columns_of(shape(in)) == columns_of(shape(y))) join(axis(in, true), axis(y, true));
      if (rows_of(shape(in)) == rows_of(shape(y))) join(axis(in, false), axis(y, false));
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
  if (op.cells.empty()) {
    if (target >= 0 && dY.defined() && result.numel() < dY.numel())
      insert_within(columns, columns_of(dY.shape()), crops_[key(dY)].whole_columns);
    return;
  }
  const Shape& shape = recording_.values[value].shape;
  const std::string& cell = target < 0 ? op.cells.back() : op.cells[size_t(target)];
  std::set<std::pair<const Scalar*, std::vector<int64_t>>> kept;
  const auto keep = [&](const Tensor& x, const Shape& as, const std::string& letters,
                        const std::map<char, int64_t>& at) {
    if (!x.defined() || !x.numel() || x.shape() != as) return;  // a constant shared with a view
    std::vector<int64_t> indices;
    for (const char letter : letters) {
      const auto found = at.find(letter);
      indices.push_back(letter == '1' ? 0 : found == at.end() ? any : found->second);
    }
    if (kept.emplace(x.data(), indices).second) terms(x, indices, target < 0 && result.numel() == 1);
  };
  for (const int64_t row : rows)
    for (const int64_t column : columns) {
      std::map<char, int64_t> at;
      int64_t rest = row * n + column;
      for (int d = shape.dims() - 1; d >= 0; rest /= shape[d--])
        if (cell[size_t(d)] != '|') at[cell[size_t(d)]] = rest % shape[d];
      size_t i = 0;
      for (const Input* in = op.node->inputs; in; in = in->next, ++i)
        keep(recording_.values[op.inputs[i]].value, in->shape, op.cells[i], at);
      if (target < 0) continue;
      for (const Tensor& y : {dY, recording_.values[op.output].value}) keep(y, op.node->shape, op.cells.back(), at);
    }
}

// Keeps the cells of x with these indices: whole rows or columns, the largest of all, or one.
void Crops::terms(const Tensor& x, const std::vector<int64_t>& indices, bool of_one) {
  const Shape& shape = x.shape();
  Crop& crop = crops_[key(x)];
  std::vector<int64_t> rows{0};
  for (int d = 0; d + 1 < shape.dims(); ++d) {
    std::vector<int64_t> next;
    for (const int64_t row : rows)
      for (int64_t i = 0, index = indices[size_t(d)]; i < shape[d]; ++i)
        if (index == any || index == i) next.push_back(row * shape[d] + i);
    rows = std::move(next);
  }
  const bool all_rows = std::ssize(rows) == rows_of(shape);
  const int64_t column = indices.empty() ? 0 : indices.back();
  if (std::find(indices.begin(), indices.end(), any) == indices.end()) {
    if (!crop.rows.count(rows[0]) || !crop.columns.count(column))
      crop.single.insert(rows[0] * columns_of(shape) + column);
  } else if (column != any) {
    crop.whole_columns.insert(column);
  } else if (all_rows && (of_one || rows.size() > 1)) {
    for (const int64_t i : largest(x, 5)) crop.single.insert(i);
  } else {
    crop.whole_rows.insert(rows.begin(), rows.end());
  }
}

}
