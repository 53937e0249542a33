#pragma once

#include "core/kernels/simd/matmul.hpp"

// What the feed-forward layer keeps of its hidden layer, and how it is cut into blocks of rows.
namespace stepgrad::kernels {
namespace {

// A product sums over k_block at a time, and the rows are the k of the weights' gradients.
constexpr int64_t layer_block = k_block;
static_assert(layer_block % 32 == 0 && row_block % 32 == 0, "no group is cut");

// Whether slots along and down are the same: one panel then serves as the left-hand matrix, as the
// transposed one and as the right-hand one.
template <class E>
constexpr bool one_layout = E::group == 1;

// Whether only the first vector of a panel's rows is used: `cols` columns exist.
template <class E>
STEPGRAD_INLINE bool one_vector(int64_t cols) {
  return one_layout<E> && vectors_read(cols) == 1;
}

// Whether the hidden layer has so few columns that x and dy are read as they lie (dots.hpp,
// few_columns.hpp): to pack them takes longer than to use the panels.
template <class E>
STEPGRAD_INLINE bool few_hidden(const FeedForward& f) {
  const bool in_fours = f.d_ff <= most_in_fours && f.rows > tile_rows;
  return one_layout<E> && f.d_ff <= W && (as_dots<E>(f.d_ff, f.d_model) || in_fours);
}

// The operations of a pass over a layer of one panel of hidden columns, the mean of both
// directions, so that their blocks are the same. Passing over x, y and dy counts as four columns,
// and beginning a row as 32 more elements.
STEPGRAD_INLINE double one_panel_work(const FeedForward& f) {
  return 6. * static_cast<double>(f.rows) * static_cast<double>((f.d_model + 32) * (f.d_ff + 4));
}

// Whether threads may take whole blocks of rows, in both directions, and so read of y and dy what
// they wrote. If gradients were shared out by columns, half of the dy that a thread reads would
// come from the other core's cache, and to write there again, as the next step does, takes 10 ns
// for 64 bytes that two cores have read, and else 1.5 (Zen 4). One panel of hidden columns or less
// leaves little else to do. In small layers adding up costs more than is gained. It weighs more
// without many rows: there must be ten times as many as hidden columns, and four times the work.
// Two threads take by rows, of the time by columns (rows, d_model, d_ff): 264, 1347, 1: 0.60, and
// 0.24 if their cores have no L3 cache in common; 300, 600, 4: 0.70; 150, 300, 17: 0.87; 40, 4096,
// 2: 0.70 and 0.50 (AVX2: 0.91, SSE2: 1.06); 96, 2000, 8: 0.95 and 0.76. One thread, which has as
// many blocks to add up, takes 0.98 to 1.10.
template <class E>
STEPGRAD_INLINE bool whole_blocks(const FeedForward& f) {
  constexpr int64_t many_rows = 96;
  if (!one_layout<E> || f.d_ff > panel) return false;
  if (f.rows > many_rows) return one_panel_work(f) >= worth_a_waiting_team;
  return f.rows >= 10 * f.d_ff && one_panel_work(f) >= 4 * worth_a_waiting_team;
}

// The rows of a block but perhaps the last. They follow from the shape alone, as sums do. Blocks
// that may be taken whole are two of nearly the same size for each layer_block rows: with four, one
// thread would take 2 % longer.
template <class E>
STEPGRAD_INLINE int64_t block_rows(const FeedForward& f) {
  if (!whole_blocks<E>(f)) return layer_block;
  return ceil_div(f.rows, 2 * ceil_div(f.rows, layer_block));
}

// Whether the team works on each block together, as blocks of their own would leave more than a
// third of it idle. What is made of a block does not depend on that.
STEPGRAD_INLINE bool work_together(const FeedForward& f, int64_t block, int64_t threads) {
  const int64_t rounds = ceil_div(ceil_div(f.rows, block), threads);
  return 2 * rounds * threads * block > 3 * f.rows;
}

// Whether each of so many threads takes whole blocks.
template <class E>
STEPGRAD_INLINE bool take_whole_blocks(const FeedForward& f, int64_t threads) {
  return whole_blocks<E>(f) && !work_together(f, block_rows<E>(f), threads);
}

// The floating-point operations of a pass over the layer. Part of a vector takes as long as all,
// but for few hidden columns, and reading a weight as long as multiplying four rows by it.
template <class E>
STEPGRAD_INLINE double layer_work(const FeedForward& f) {
  if (take_whole_blocks<E>(f, omp_get_max_threads())) return one_panel_work(f);
  const int64_t hidden = f.d_ff <= most_dot_columns ? f.d_ff : larger(W, f.d_ff);
  const double weights = static_cast<double>(larger(W, f.d_model) * hidden);
  return 4. * static_cast<double>(larger(4, f.rows)) * weights;
}

using Gate = std::conditional_t<panel == 32, uint32_t, uint16_t>;  // a bit for each column

// Bit i: lane i.
STEPGRAD_INLINE uint32_t bits_of(const Mask& mask) {
#if defined(__AVX512F__)
  return static_cast<uint32_t>(static_cast<__mmask16>(mask));
#elif defined(__AVX2__)
  return static_cast<uint32_t>(_mm256_movemask_ps(mask));
#elif defined(__SSE2__)
  return static_cast<uint32_t>(_mm_movemask_ps(mask));
#else
  alignas(64) float lanes[W];
  select(mask, V(1.f), V(0.f)).store_aligned(lanes);
  uint32_t bits = 0;
  for (int i = 0; i < W; ++i) bits |= static_cast<uint32_t>(lanes[i] != 0) << i;
  return bits;
#endif
}

STEPGRAD_INLINE Mask mask_of(uint32_t bits) {
#if defined(__AVX512F__)
  return Mask(static_cast<__mmask16>(bits));
#else
  alignas(32) static constexpr int32_t lane[] = {1, 2, 4, 8, 16, 32, 64, 128};
  const I bit = I::load_aligned(lane);
  return same_bits<Mask>((I(static_cast<int32_t>(bits)) & bit) == bit);
#endif
}

// y = the results of E's products, as they leave its format.
template <class E>
STEPGRAD_INLINE void round_results(int64_t rows, int64_t cols, float* y, int64_t row) {
  for (int64_t r = 0; r < rows; ++r, y += row) {
    zip(cols, Run<1>{y, 1}, Run<1>{y, 1}, y, [](V v, V) { return E::result(v); });
  }
}

// clamp(z, 0)∘M and its gradient for one vector, a bit for each lane: 1 where M, and for the
// gradient the clamp too, lets it pass.
STEPGRAD_INLINE V activated(const V& z, uint32_t kept, const V& scale) {
  return maximum(V(0.f), z) * select(mask_of(kept), scale, V(0.f));
}
STEPGRAD_INLINE V gated(const V& dh, uint32_t open, const V& scale) {
  return select(mask_of(open), dh * scale, V(0.f));
}

// to += sums of columns, of which `cols` exist.
template <int vectors>
STEPGRAD_INLINE void add_sums(const V (&sum)[vectors], int64_t cols, float* to) {
  alignas(64) float sums[vectors * W];
  for (int v = 0; v < vectors; ++v) sum[v].store_aligned(sums + v * W);
  for (int64_t c = 0; c < cols; ++c) to[c] += sums[c];
}

// Runs a pass over the layer on all threads, or on one if there is little to do.
template <class Pass>
STEPGRAD_INLINE void run_pass(const Pass& pass) {
  static thread_local Scratch scratch;
  float* shared = scratch.floats(pass.shared_size());
  run_team(threads_for(pass.work() >= worth_a_waiting_team),
           [&](const Team& team) { Pass(pass).run(team, shared); });
}

// What one block of rows keeps of the hidden layer: h as the columns of Hᵀ·dY (pack_columns), and
// the gates.
template <class E>
struct Kept {
  float* h;     // null: nothing is kept
  Gate* gates;  // [panels][rows]
  int64_t rows;

  STEPGRAD_INLINE float* at(int64_t j, int64_t r) const {
    return h + j * E::slots(rows) + E::slots(r) * panel;
  }
  STEPGRAD_INLINE Gate* gate(int64_t j, int64_t r) const { return gates + j / panel * rows + r; }
};

// A block of rows as a left-hand matrix (pack_along) that comes into being panel by panel.
template <class E>
struct Left {
  float* h;
  int64_t rows;

  STEPGRAD_INLINE float* at(int64_t j) const {
    const int64_t slot = j / E::fold;
    return h + slot / panel * panel * rows + slot % panel;
  }
  STEPGRAD_INLINE void put(const float* x, int64_t some, int64_t j) const {
    float* to = at(j);
    for (int64_t r = 0; r < some; ++r) E::along(x + r * panel, panel / E::fold, to + r * panel);
  }
  STEPGRAD_INLINE operator Rows() const { return {h, rows}; }
};

template <class E>
int64_t saved_size(int64_t rows, int64_t d_ff) {
  const int64_t gates = count_panels(d_ff) * rows * static_cast<int64_t>(sizeof(Gate));
  return down_size<E>(rows, d_ff) + ceil_div(gates, static_cast<int64_t>(sizeof(float)));
}

// A block's part of what saved_size made room for.
template <class E>
STEPGRAD_INLINE Kept<E> saved_block(float* saved, int64_t all_rows, int64_t d_ff, int64_t first,
                                    int64_t rows) {
  Gate* gates = reinterpret_cast<Gate*>(saved + down_size<E>(all_rows, d_ff));
  return {saved + down_size<E>(first, d_ff), gates + first * count_panels(d_ff), rows};
}

}  // namespace
}  // namespace stepgrad::kernels
