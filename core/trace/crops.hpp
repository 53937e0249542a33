#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/trace/recording.hpp"

namespace stepgrad {

// Which numbers of a tensor too large for a page it keeps one by one, seen as [rows, columns] with
// the last dimension as columns: those of some rows and columns crossed, whole rows, whole columns,
// and the largest.
struct Crop {
  std::set<int64_t> rows, columns;              // crossed
  std::set<int64_t> whole_rows, whole_columns;  // what sums run over
  std::set<int64_t> single;                     // flat

  void merge(const Crop& other);
};

// Around the cell that is asked for, the first eight rows and columns, and the largest of each
// tensor, with what the sums of products, rows and columns there run over. By the tensor's data,
// and by its rows and columns, for views share data.
class Crops {
 public:
  Crops(const Recording& recording, const Cell& asked);
  const Crop* of(const Tensor& x) const;

  // The cell that the page's first question is about: the one asked for, or else the largest
  // gradient of the largest leaf. -1: there is none.
  int asked_value = -1;
  int64_t asked_cell = 0;  // flat

 private:
  using Places = std::set<int64_t>;
  void ask(const Cell& asked);
  void join_axes();
  void cross(const Tensor& x, int value);
  void want(const Recording::Op& op, int target, const Tensor& dY, const Tensor& result);
  int axis(int value, bool column);
  void join(int a, int b);
  Places& places(int value, bool column) { return indices_[axis(value, column)]; }

  const Recording& recording_;
  std::vector<int> axes_;  // two a value, rows and columns; the same where an op makes them one
  std::map<int, Places> indices_;
  std::map<std::tuple<const Scalar*, int64_t, int64_t>, Crop> crops_;
};

}  // namespace stepgrad
