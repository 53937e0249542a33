#pragma once

#include "core/kernels/simd/elementwise.hpp"
#include "core/kernels/simd/tile.hpp"

// Products of matrices, cut for the caches, packed, and summed tile by tile in registers.
//
//   multiply -> by_rows, by_columns -> multiply_panel -> run_tile
//
// A tile. tile_rows x panel sums stay in registers while k runs; a step of k loads a row of the
// right-hand panel and broadcasts tile_rows elements of the left-hand one. AVX-512: 12 x 32 sums in
// 24 of 32 registers; AVX2: 6 x 16 in 12 of 16; SSE2: 2 x 16 in 8 of 16.
//
// The caches. A panel of k_block steps (64 KiB) passes through L1 for each tile of rows. L2 holds
// the left-hand panels multiplied with it (row_block x k_block, 256 KiB). L3 holds the right-hand
// panels: threads pack them jointly, then share them (right_size, 8 MiB). With few rows a panel is
// used only a few times: then each thread has its own columns, and the first tile packs while it
// computes.
//
// The order of additions. An element is a sum of pieces of k, each a sum of blocks of k_block
// steps, added in rising k; within a block it is one chain of multiply-adds in rising k from zero.
// So its bits do not depend on its position, nor on the number of rows, columns and threads.
namespace stepgrad::kernels {
namespace {

constexpr int64_t k_block = product_block;   // steps of k in one run of a tile
constexpr int64_t col_block = 4096;          // columns whose right-hand panels are packed together
constexpr int64_t right_size = 2 << 20;      // floats of right-hand panels at a time (8 MiB)
constexpr int64_t few_rows = 8 * tile_rows;  // up to here, the threads share out the columns

// Rows per block: one panel if k <= 8, so that the output is written almost sequentially.
STEPGRAD_INLINE int64_t block_height(int64_t k) { return k <= 8 ? panel : row_block; }

// The right-hand matrix W [k, n], or Wᵀ where W is [n, k]: packed in advance, or panel by panel
// when needed.
struct RightMatrix {
  Matrix w;
  bool transposed;
  int64_t k, n;
  float* packed = nullptr;  // [n / panel][k][panel]

  STEPGRAD_INLINE int64_t size() const { return panels_size(k, n); }

  STEPGRAD_INLINE void pack(Stretch columns, int64_t p, int64_t steps, float* to) const {
    const int64_t j = columns.begin, cols = columns.end - j;
    if (transposed) {
      pack_transposed(w.from(j, p), steps, cols, to);
    } else {
      pack_panels(w.from(p, j), steps, cols, to);
    }
  }
  STEPGRAD_INLINE void pack_share(const Team& team) const {
    const Stretch mine = team.share(n, panel);
    pack(mine, 0, k, packed + mine.begin * k);
  }

  // out = left·W for the panel at column j and the block k = [p, p + k_block), whose left-hand
  // panels are in `left`. Blocks with p > 0 accumulate; the last one adds the bias. own: scratch
  // for one packed panel [k_block, panel].
  STEPGRAD_INLINE void multiply(int64_t rows, const auto& left, int64_t j, int64_t p, float* own, Result out) const {
    const int64_t steps = smaller(k_block, k - p);
    if (p > 0) out.add = true;
    if (p + steps < k) out.bias = nullptr;
    if (packed) {
      const Packed panels{packed + j * k + p * panel};
      multiply_panel(rows, steps, left, panels, panels, out);
    } else if (!transposed && j + panel <= n) {
      const Packing first{w.from(p, j).at, w.row, own, rows > tile_rows ? panel : 0};
      multiply_panel(rows, steps, left, first, Packed{own}, out);
    } else {
      pack({j, smaller(n, j + panel)}, p, steps, own);
      multiply_panel(rows, steps, left, Packed{own}, Packed{own}, out);
    }
  }
};

// Whether to write a weight gradient with non-temporal stores. From 4 MiB on it does not fit in L2,
// and cache lines would be read from L3 or memory only to be overwritten. Usually only the
// optimizer reads it, after all other gradients. With at most four rows the stores dominate, and L3
// is faster than memory.
STEPGRAD_INLINE bool streams(const float* dw, int64_t rows, int64_t m, int64_t n) {
  const auto aligned = [](auto address) { return address % 64 == 0; };
  return rows > 4 && rows <= k_block && m * n >= 1 << 20 && aligned(n * 4) && aligned(reinterpret_cast<uintptr_t>(dw));
}

enum class Form { nn, nt, tn };

// Y[m, n] = op(A)·op(B) over k steps, all row-major. Y is dense.
template <Form form>
struct Multiply {
  int64_t m, n, k;
  Matrix a, b;
  float* y;
  bool single;  // not one of a batch

  STEPGRAD_INLINE RightMatrix right() const { return {b, form == Form::nt, k, n}; }

  // The left-hand panels of `rows` rows from i on, for the steps [p, p + steps).
  STEPGRAD_INLINE auto pack_left(int64_t i, int64_t rows, int64_t p, int64_t steps, float* to) const {
    if constexpr (form == Form::tn) {
      pack_panels(a.from(p, i), steps, rows, to);
      return Columns{to, steps};
    } else {
      pack_panels(a.from(i, p), rows, steps, to);
      return Rows{to, rows};
    }
  }
  STEPGRAD_INLINE static int64_t left_size(int64_t rows) { return ceil_div(rows, panel) * panel * k_block; }

  STEPGRAD_INLINE Result result(int64_t i, int64_t j, bool add) const {
    const bool past = form == Form::tn && single && streams(y, k, m, n);
    return {y + i * n + j, n, smaller(panel, n - j), add, past};
  }

  // Columns and steps of k whose right-hand panels are packed together.
  STEPGRAD_INLINE int64_t cols() const { return smaller(n, col_block); }
  STEPGRAD_INLINE int64_t depth() const { return smaller(k, larger(1, right_size / (cols() * k_block)) * k_block); }

  // Many rows: the team packs a piece of B together, then each member takes blocks of rows.
  void by_rows(const Team& team, float* shared) const {
    static thread_local Scratch scratch;
    float* packed = scratch.floats(left_size(row_block));
    const int64_t blocks = ceil_div(ceil_div(m, block_height(k)), team.size) * team.size;
    const Stretch mine = team.share(blocks);
    for (int64_t j = 0; j < n; j += cols()) {
      for (int64_t p = 0; p < k; p += depth()) {
        RightMatrix piece = right();
        piece.w = form == Form::nt ? piece.w.from(j, p) : piece.w.from(p, j);
        piece.k = smaller(depth(), k - p), piece.n = smaller(cols(), n - j);
        piece.packed = shared;
        piece.pack_share(team);
        team.wait();
        for (int64_t block = mine.begin; block < mine.end; ++block) {
          const auto [i, end] = Team{block, blocks}.share(m, form == Form::tn ? panel : 1);
          for (int64_t q = 0; i < end && q < piece.k; q += k_block) {
            const auto left = pack_left(i, end - i, p + q, smaller(k_block, piece.k - q), packed);
            for (int64_t c = 0; c < piece.n; c += panel) {
              piece.multiply(end - i, left, c, q, nullptr, result(i, j + c, p > 0));
            }
          }
        }
        team.wait();
      }
    }
  }

  // Few rows: each member packs all of A and takes panels of columns.
  void by_columns(const Team& team) const {
    static thread_local Scratch scratch;
    float* packed = scratch.floats(left_size(m) + k_block * panel);
    const Stretch mine = team.share(n, panel);
    for (int64_t p = 0; p < k; p += k_block) {
      const auto left = pack_left(0, m, p, smaller(k_block, k - p), packed);
      for (int64_t j = mine.begin; j < mine.end; j += panel) {
        right().multiply(m, left, j, p, packed + left_size(m), result(0, j, false));
      }
    }
  }

  STEPGRAD_INLINE int64_t shared_size() const { return m > few_rows ? panels_size(depth(), cols()) : 0; }

  void run(const Team& team, float* shared) const {
    if (m > few_rows) {
      by_rows(team, shared);
    } else {
      by_columns(team);
    }
    fence_streams();
  }
};

// Up to m·n·k = 64, packing costs several times the product itself.
constexpr int64_t few_products = 64;

template <Form form>
STEPGRAD_INLINE void multiply_few(const Products& s, const float* a, const float* b, float* y) {
  for (int64_t i = 0; i < s.m; ++i) {
    for (int64_t j = 0; j < s.n; ++j) {
      V sum(0.f);
      for (int64_t p = 0; p < s.k; ++p) {
        sum = mul_add(V(a[form == Form::tn ? p * s.m + i : i * s.k + p]),
            V(b[form == Form::nt ? j * s.k + p : p * s.n + j]), sum);
      }
      *y++ = same_bits<Floats>(sum)[0];
    }
  }
}

// The products of the first s.k of A's and B's k steps.
template <Form form>
void multiply_piece(const Products& s, int64_t k, const float* a, const float* b, float* y) {
  const auto left = [&](int64_t t) { return a + (s.a_offset ? s.a_offset[t] : 0); };
  const auto right = [&](int64_t t) { return b + (s.b_offset ? s.b_offset[t] : 0); };
  const auto result = [&](int64_t t) { return y + t * s.m * s.n; };
  if (s.batch > 1 && s.m * s.n * s.k <= few_products) {
    return share(s.batch, s.batch * s.m * s.n * s.k, 1, [&](int64_t t, int64_t end) {
      for (; t < end; ++t) multiply_few<form>(s, left(t), right(t), result(t));
    });
  }
  const auto product = [&](int64_t t) {
    const Matrix A{left(t), form == Form::tn ? s.m : k}, B{right(t), form == Form::nt ? k : s.n};
    return Multiply<form>{s.m, s.n, s.k, A, B, result(t), s.batch == 1};
  };
  const double work = 2. * double(s.m * s.n) * double(s.k);
  const int threads = threads_for(double(s.batch) * work >= worth_a_team);
  static thread_local Scratch scratch;
  if (s.batch < threads && work >= worth_a_team) {  // one product after another
    for (int64_t t = 0; t < s.batch; ++t) {
      float* shared = scratch.floats(product(t).shared_size());
      run_team(threads, [&](const Team& team) { product(t).run(team, shared); });
    }
    return;
  }
  share_among(threads, s.batch, 1, [&](int64_t t, int64_t end) {
    for (; t < end; ++t) product(t).run(Team{0, 1}, scratch.floats(product(t).shared_size()));
  });
}

template <Form form>
void multiply(const Products& s, const float* a, const float* b, float* y) {
  const int64_t size = s.batch * s.m * s.n;
  if (s.k == 0) return fill(size, 0.f, y);
  if (size == 0) return;
  Products piece = s;
  piece.k = smaller(s.k, product_piece);
  multiply_piece<form>(piece, s.k, a, b, y);
  static thread_local Scratch scratch;
  for (int64_t p = product_piece; p < s.k; p += product_piece) {
    float* sums = scratch.floats(size);
    piece.k = smaller(s.k - p, product_piece);
    multiply_piece<form>(piece, s.k, a + p * (form == Form::tn ? s.m : 1), b + p * (form == Form::nt ? 1 : s.n), sums);
    zip(size, Run<1>{y, 1}, Run<1>{sums, 1}, y, Add{});
  }
}

constexpr Matmul matmul_kernels{multiply<Form::nn>, multiply<Form::nt>, multiply<Form::tn>};

}
}
