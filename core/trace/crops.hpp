#pragma once

#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "core/trace/recording.hpp"

namespace stepgrad {

// The numbers that a page keeps one by one of a tensor too large for it, viewed as [rows, columns]
// with the last dimension as columns: the crossings of some rows and columns, whole rows, whole
// columns, and the largest numbers.
struct Crop {
  std::set<int64_t> rows, columns;              // crossing
  std::set<int64_t> whole_rows, whole_columns;  // terms of sums
  std::set<int64_t> single;                     // flat

  void merge(const Crop& other);
};

// The numbers around the cell asked for, the first eight rows and columns, the largest of each
// tensor, and the terms of the sums behind them. The key is the tensor's data, rows and columns,
// since views share data.
class Crops {
 public:
  Crops(const Recording& recording, const Cell& asked);
  const Crop* of(const Tensor& x) const;

  // The cell of the page's first question: the one asked for, or else the largest gradient in the
  // first rows and columns of the largest leaf. -1: none.
  int asked_value = -1;
  int64_t asked_cell = 0;  // flat

 private:
  using Places = std::set<int64_t>;
  void ask(const Cell& asked);
  void join_axes();
  void cross(const Tensor& x, int value);
  void want(const Recording::Op& op, int target, const Tensor& dY, const Tensor& result);
  void terms(const Tensor& x, const std::vector<int64_t>& indices, bool of_one);
  int axis_at(int at);
  int axis(int value, bool column) { return axis_at(2 * value + column); }
  void join(int a, int b);
  Places& places(int value, bool column) { return indices_[axis(value, column)]; }

  const Recording& recording_;
  std::vector<int> axes_;  // two per value, rows and columns; equal if an op joins them
  std::map<int, Places> indices_;
  std::map<std::tuple<const Scalar*, int64_t, int64_t>, Crop> crops_;
};

}
