#pragma once

#include <type_traits>

#include "core/kernels/simd/dots.hpp"
#include "core/kernels/simd/few_columns.hpp"
#include "core/kernels/simd/parallel.hpp"
#include "core/kernels/simd/spread.hpp"

// Products of a block of rows, already packed or as they lie, by a matrix: the steps that
// products of few rows and the feed-forward layer are made of.
namespace stepgrad::kernels {
namespace {

constexpr int64_t k_block = product_block;  // steps of k that a tile runs through in one go
static_assert(k_block % dots_strip == 0);
static_assert(least_spread_columns > most_dot_columns, "what is spread is not as dots");

// left·right for `rows` rows and the columns of one panel. `first` may read them from elsewhere and
// pack them for the tiles after the first: only floats, and whole panels.
template <class E, class Left, class First, class Out>
STEPGRAD_INLINE void multiply_panel(int64_t rows, int64_t k, Left left, First first,
                                    PackedRight right, const Out& out) {
  using Slots = typename E::Slots;
  [[maybe_unused]] const typename E::Scope scope;
  if constexpr (requires { typename E::Tiles; }) {
    return E::Tiles::multiply(rows, k, left, right.at, out);
  } else if constexpr (E::group == 1 && std::is_same_v<Left, Columns>) {
    if (out.cols <= W) {
      for (int64_t i = 0; i < rows; i += panel) {
        const int64_t some = smaller(panel, rows - i);
        multiply_turned<Slots>(some, k, PackedRight{left.tile(i).at}, right.at, out.below(i));
      }
      return;
    }
  } else if constexpr (E::group == 1 && most_in_fours > 0) {
    if (out.cols <= most_in_fours) return multiply_fours<Slots>(rows, k, left, right.at, out);
  }
  const int64_t group = left.group();
  for (int64_t i = 0; i < rows; i += group) {
    run_tiles<Slots>(i, smaller(rows, i + group), k, left, first, right, out);
  }
}

// The right-hand matrix W [k, n], or Wᵀ if W is [n, k]: all its panels packed before, or, for a
// product of few rows, each packed where and when it is needed, or read as it lies. Few columns of
// a long k are turned (dots.hpp).
template <class E>
struct RightMatrix {
  Matrix w;
  bool transposed;
  int64_t k, n;
  float* packed = nullptr;

  STEPGRAD_INLINE void pack_part(int64_t j, int64_t cols, int64_t p, int64_t steps,
                                 float* to) const {
    if (transposed) {
      pack_transposed<E>(w.from(j, p), steps, cols, to);
    } else {
      pack_down<E>(w.from(p, j), steps, cols, to);
    }
  }

  // Whether products are dots. W is then read as Wᵀ, which may be how it lies.
  STEPGRAD_INLINE bool dots() const { return as_dots<E>(n, k); }
  STEPGRAD_INLINE bool lies_turned() const { return transposed || n == 1; }
  STEPGRAD_INLINE static int64_t turned_row(int64_t k) {
    return ceil_div(k, dots_strip) * dots_strip;
  }
  STEPGRAD_INLINE PlacedRows turned(int64_t p, int64_t steps, float* own) const {
    if (lies_turned()) return {w.at + p, w.row, panel};
    if (packed) return {packed + p, turned_row(k), panel};
    turn_columns(w.from(p, 0), steps, n, own, k_block);
    return {own, k_block, panel};
  }

  // The floats of `packed`, and this thread's share of packing them.
  STEPGRAD_INLINE int64_t size() const {
    if (!dots()) return down_size<E>(k, n);
    return lies_turned() ? 0 : most_dot_columns * turned_row(k);
  }
  STEPGRAD_INLINE void pack_share(const Team& team) const {
    if (dots()) {
      const Range mine = team.share(lies_turned() ? 0 : k, dots_strip);
      return turn_columns(w.from(mine.begin, 0), mine.end - mine.begin, n, packed + mine.begin,
                          turned_row(k));
    }
    const Range mine = team.share(n, panel);
    pack_part(mine.begin, mine.end - mine.begin, 0, k, packed + mine.begin * E::slots(k));
  }

  // Whether W is read as it lies: a single tile would use a panel only once.
  STEPGRAD_INLINE bool plain(int64_t rows) const {
    return E::group == 1 && !packed && rows <= tile_rows;
  }
  // The columns of a tile of a product of so many rows in all.
  STEPGRAD_INLINE int64_t step(int64_t rows) const {
    return plain(rows) ? tile_columns(rows) : panel;
  }

  // left·W for columns [j, j + cols), cols <= step(rows), and the block of k from p on, of which
  // `left` has the panels. `out` says the place, the distance of rows, and what is added when the
  // last block of k is.
  template <class Left>
  STEPGRAD_INLINE void multiply(int64_t rows, const Left& left, int64_t j, int64_t cols, int64_t p,
                                float* own, ToMatrix out) const {
    const int64_t steps = smaller(k_block, k - p);
    out.cols = static_cast<int>(cols);
    out.add = p > 0;
    if (p + steps < k) out.bias = nullptr;
    if constexpr (requires { left.placed(); }) {
      if (dots()) {
        if (!packed && !lies_turned() && rows <= unturned_rows(n)) {
          return multiply_dot_rows(rows, steps, left.placed(), w.from(p, 0), out);
        }
        return multiply_dots(rows, steps, left.placed(), turned(p, steps, own), out);
      }
    }
    if constexpr (!std::is_same_v<Left, PlainRows>) {
      multiply_tiles(rows, left, j, p, steps, own, out);
    } else if constexpr (most_in_fours > 0) {
      multiply_few(rows, left, p, steps, own, out);
    }
  }

 private:
  // Of most_in_fours columns at most, from rows as they lie.
  STEPGRAD_INLINE void multiply_few(int64_t rows, const PlainRows& left, int64_t p, int64_t steps,
                                    float* own, const ToMatrix& out) const {
    alignas(64) float strip[tile_rows * rows_of_fours * panel];
    if (!packed) pack_part(0, n, p, steps, own);
    const float* panels = packed ? packed + p * panel : own;
    multiply_fours<typename E::Slots>(rows, steps, RowsToPack{left.a, strip}, panels, out);
  }

  template <class Left>
  STEPGRAD_INLINE void multiply_plain(int64_t rows, const Left& left, int64_t j, int64_t p,
                                      int64_t steps, float* own, const ToMatrix& out) const {
    const LeftTile tile = left.tile(0);
    if (transposed) {
      const TurnedRight right{w.from(j, p).at, w.row, out.cols, own};
      run_tile_of<typename E::Slots, Left>(rows, steps, tile, right, out);
    } else {
      const PlainRight right{w.from(p, j).at, w.row, out.cols, k - p};
      run_tile_of<typename E::Slots, Left>(rows, steps, tile, right, out);
    }
  }

  template <class Left>
  STEPGRAD_INLINE void multiply_tiles(int64_t rows, const Left& left, int64_t j, int64_t p,
                                      int64_t steps, float* own, const ToMatrix& out) const {
    const int64_t cols = out.cols;
    if constexpr (!Left::broadcast) {  // what is spread has more rows
      if (plain(rows)) return multiply_plain(rows, left, j, p, steps, own, out);
    }
    const PackedRight right{packed ? packed + j * E::slots(k) + E::slots(p) * panel : own};
    if (E::group == 1 && !packed && !transposed && cols == panel) {  // the first tile packs
      const PackingRight first{w.from(p, j).at, w.row, own};
      return multiply_panel<E>(rows, steps, left, first, right, out);
    }
    if (!packed) pack_part(j, cols, p, steps, own);
    multiply_panel<E>(rows, E::slots(steps), left, right, right, out);
  }
};

// left·W for `rows` rows and a range of columns that begins with a panel. to(j) says where the
// panel of column j goes, and those to the right of it beside it; finish(j) is called when it is
// complete. A block of k after the other, so that no more of left than that needs to stay in L2.
template <class E, class To, class Finish>
STEPGRAD_INLINE void multiply_block(int64_t rows, Rows left, const RightMatrix<E>& right,
                                    Range columns, float* own, const To& to, const Finish& finish) {
  const int64_t step = right.step(left.rows), cols = columns.end - columns.begin;
  for (int64_t p = 0; p < right.k; p += k_block) {
    const int64_t slots = E::slots(smaller(k_block, right.k - p));
    with_spread(left.from(E::slots(p)), rows, slots, cols, [&](const auto& block) {
      for (int64_t j = columns.begin; j < columns.end; j += step) {
        const int64_t end = smaller(columns.end, j + step);
        right.multiply(rows, block, j, end - j, p, own, to(j));
        for (int64_t c = j; p + k_block >= right.k && c < end; c += panel) finish(c);
      }
    });
  }
}

// The same, panel by panel: all may go to the same place, if finish takes them away. If `left` has
// but one row, several are made at a time, side by side from to(j) on.
template <class E, class Left, class To, class Finish>
STEPGRAD_INLINE void multiply_panels(int64_t rows, Left left, const RightMatrix<E>& right,
                                     Range columns, float* own, const To& to,
                                     const Finish& finish) {
  const int64_t step = left.rows == 1 ? right.step(1) : panel;
  const int64_t cols = columns.end - columns.begin;
  with_spread(left, rows, E::slots(right.k), cols, [&](const auto& all) {
    for (int64_t j = columns.begin; j < columns.end; j += step) {
      const int64_t end = smaller(columns.end, j + step);
      const ToMatrix out = to(j);
      for (int64_t p = 0; p < right.k; p += k_block) {
        right.multiply(rows, all.from(E::slots(p)), j, end - j, p, own, out);
      }
      for (int64_t c = j; c < end; c += panel) finish(c);
    }
  });
}

}  // namespace
}  // namespace stepgrad::kernels
