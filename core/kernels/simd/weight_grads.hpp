#pragma once

#include "core/kernels/simd/hidden.hpp"
#include "core/kernels/simd/outer.hpp"
#include "core/kernels/simd/right_matrix.hpp"

namespace stepgrad::kernels {
namespace {

// The gradients of the feed-forward layer's weights for a block of rows, which are the k of the
// products:
//
//   dW₁ += Xᵀ·dZ    dW₂ += Hᵀ·dY
//
// Few rows are outer products, few hidden columns one tile or two, anything else is panels. Of few
// rows and fewer hidden columns still, dW₁ has more to gain as a transpose.
template <class E>
struct WeightGrads {
  const FeedForward& f;
  const float* dy;
  float *dw1, *dw2;  // null: not wanted
  bool apart;        // they are this block's alone, and not of all rows
  int64_t first, rows;
  const float *x_down, *dy_down, *dz_down, *h;  // panels of the block

  // Whether rows are so few that these are outer products, which read x and dy as they lie.
  STEPGRAD_INLINE static bool of_few_rows(const FeedForward& f) {
    return one_layout<E> && f.rows <= most_outer_rows;
  }

  // For a thread's share of the columns of X and dY, and of the hidden ones. Of few rows, the
  // team's shares are others, and it needs all of dZ.
  STEPGRAD_INLINE void add(const Team& team, Range columns, Range hidden) const {
    if (of_few_rows(f)) return outer_products(team);
    if (few_hidden<E>(f)) {
      if (hidden.begin < hidden.end) add_few_hidden(columns);
      return;
    }
    if (dw1) add_panels(x_down, columns, dz_down, hidden, f.d_ff, dw1);
    if (dw2) add_panels(h, hidden, dy_down, columns, f.d_model, dw2);
  }

 private:
  // dW += leftᵀ·right for the panels [begin, end) of left's columns. `row_block` of them at a time,
  // so that their panels stay in L2 while right passes by.
  STEPGRAD_INLINE void add_panels(const float* left, Range from, const float* right, Range to,
                                  int64_t n, float* dw) const {
    const int64_t k = E::slots(rows);
    const bool streams =
        rows == f.rows && one_layout<E> && streams_weight_grad(dw, rows, f.d_model * f.d_ff, n);
    for (int64_t i = from.begin; i < from.end; i += row_block) {
      const int64_t height = smaller(row_block, from.end - i);
      with_spread(Columns{left + i * k, k}, height, k, to.end - to.begin, [&](const auto& columns) {
        for (int64_t j = to.begin; j < to.end; j += panel) {
          const PackedRight panels{right + j * k};
          const int64_t width = smaller(panel, n - j);
          float* at = dw + i * n + j;
          multiply_panel<E>(height, k, columns, panels, panels,
                            ToMatrix{at, n, static_cast<int>(width), adds(), streams});
          if (E::group > 1 && !apart && first + rows == f.rows) {
            round_results<E>(height, width, at, n);
          }
        }
      });
    }
    if (streams) fence_streams();
  }

  // Both as products of few rows, which read X and dY as they lie.
  STEPGRAD_INLINE void add_few_hidden(Range columns) const {
    if (dw1) add_turned(columns);
    for (int64_t j = columns.begin; dw2 && j < columns.end; j += step()) {
      const int64_t width = smaller(step(), columns.end - j);
      const PlainRight right{dy + first * f.d_model + j, f.d_model, width, rows};
      run_tiles<typename E::Slots>(0, f.d_ff, rows, Columns{h, rows}, right, right,
                                   ToMatrix{dw2 + j, f.d_model, static_cast<int>(width), adds()});
    }
  }

  // dW₁ as the transpose of dZᵀ·X.
  STEPGRAD_INLINE void add_turned(Range columns) const {
    const int64_t d = f.d_model, n = f.d_ff;
    for (int64_t j = columns.begin; j < columns.end; j += step()) {
      const int64_t width = smaller(step(), columns.end - j);
      multiply_turned<typename E::Slots>(width, rows,
                                         PlainRight{f.x + first * d + j, d, width, rows}, dz_down,
                                         ToMatrix{dw1 + j * n, n, static_cast<int>(n), adds()});
    }
  }

  STEPGRAD_INLINE void outer_products(const Team& team) const {
    const int64_t d = f.d_model, jump = rows * panel, size = d * f.d_ff;
    const PlacedRows x{f.x, d, panel}, y_grad{dy, d, panel};
    const PlacedRows z_grad{dz_down, panel, jump}, hidden{h, panel, jump};
    if (dw1 && f.d_ff == 1) {  // its own transpose
      share_outer(team, rows, z_grad, 1, x, d, false, dw1);
    } else if (dw1 && few_hidden<E>(f) && rows > f.d_ff) {
      add_turned(team.share(d, panel));
    } else if (dw1) {
      const bool streams = streams_weight_grad(dw1, rows, size, f.d_ff);
      share_outer(team, rows, x, d, z_grad, f.d_ff, streams, dw1);
    }
    if (dw2) {
      const bool streams = streams_weight_grad(dw2, rows, size, d);
      share_outer(team, rows, hidden, f.d_ff, y_grad, d, streams, dw2);
    }
  }

  // Columns of X or dY at a time: a tile's, whose rows are the hidden columns.
  STEPGRAD_INLINE int64_t step() const { return tile_columns(f.d_ff); }

  STEPGRAD_INLINE bool adds() const { return first > 0 && !apart; }
};

}  // namespace
}  // namespace stepgrad::kernels
