#pragma once

#include <type_traits>

#include "core/kernels/simd/outer.hpp"
#include "core/kernels/simd/parallel.hpp"
#include "core/kernels/simd/right_matrix.hpp"
#include "core/kernels/simd/scratch.hpp"

// Products of matrices, packed, cut for the caches, and summed tile by tile in registers.
//
// A tile. tile_rows x tile_vectors sums stay in registers while k runs; a step of k loads
// tile_vectors of the right-hand matrix and broadcasts tile_rows elements of the left-hand one.
// AVX-512: 12 x 32 sums in 24 of 32 registers; AVX2: 6 x 16 in 12 of 16; SSE2, which needs one for
// each product as well, 2 x 16 in 8 of 16. Fewer sums than twice the latency of a multiply-add
// leave the units idle: of 12 rows in L1, 6 reach 88 %, 4: 77 %, 2: 51 %, 1: 32 %. Hence rows are
// dealt evenly to the tiles (13 = 7 + 6), a short tile is never rounded up, and one of up to six
// rows has four or eight vectors (tile_columns). Rows that are one tile need no panels: it reads
// the right-hand matrix as it lies.
//
// On AVX-512 a multiply-add can broadcast its left-hand element itself. A step of 12 x 32 sums then
// starts 28 operations: 24 multiply-adds, 2 loads of right-hand vectors, and 2 requests for lines
// that come later; 26 of them load a vector. If the elements are broadcast first, once for the two
// multiply-adds that share one, it starts 40, and loads 14. In the 12 cycles that the multiply-adds
// take, the CPU starts at most 72 and loads at most 24. But to each of two hardware threads of a
// core it gives down to half of that: on a virtual machine, where the other one is somebody else's,
// nops went at 6 to 12 a ns, and the clock would have allowed 13.5. So every second row's element
// is broadcast by the multiply-adds: 34 operations, 20 loads.
//
// The caches. L1 holds the lines of the next steps only: a panel of the right-hand matrix (k_block
// x 32 floats, 64 KiB) streams in from L2, and is used by all tiles of a block of rows before the
// next. L2 holds that block's left-hand panels (row_block x k_block, 256 KiB). L3 holds the
// right-hand panels that the threads pack together and all read (right_size, 8 MiB).
//
// The order of additions. A tile sums k_block steps in one chain of multiply-adds (AMX's has an
// order of its own: amx.hpp; so have few columns of a long k: dots.hpp); the sums of the blocks are
// added in rising k. So an element has the same bits in whatever tile it lies and however many rows
// and threads there are. k_block is part of that: from 192 to 512 it made no difference to the
// time.
//
// What is multiplied (element.hpp), floats or bfloat16s, is the panels' affair and AMX's tiles'.
//
// Measured in GFLOP/s of one core's own time, on a Sapphire Rapids Xeon with 2 MiB of L2 that other
// programs also used. There the registers alone do 217, the tile in L1 184.
//
//   [4096, 512]·[512, 2048]                           153; oneDNN 2.6: 162, OpenBLAS 0.3.21: 153
//   [8192, 512]·[512, 2048]                           148 .. 160
//     asking for the result's rows all at once        142 .. 149
//   [16384, 512]·[512, 2048]                          152
//     not asking for the right-hand lines ahead       128
//   [1024, 512]·[512, 2048]                           140 .. 143
//     panels in 4 KiB pages                           135
//   [1024, 512]·[512, 1024]                           175
//   [1024, 1024]·[1024, 512]                          AVX2: 111, the registers 131
//   bfloat16s, a fused step, two cores, 4096 rows     329 by multiply-adds, 213 by vdpbf16ps, of
//     which this CPU does 240; floats: 328
//
// A fused step of two cores, d_model 512, d_ff 2048, in ms, beside the chains of oneDNN and
// OpenBLAS, before single tiles read weights as they lie:
//
//   rows            1           4           16          40
//   this            0.46        0.52        0.85        1.43
//   oneDNN          1.40        1.47        1.74        2.28
//   OpenBLAS*       1.47        2.03        2.6         3.9        *on 1 core if faster
//
// Lost: tiles of 14 x 32, 8 x 48, 9 x 48, 6 x 64 and 7 x 64 are within 2 % of 12 x 32 there, and
// wider panels waste more on narrow results. With 40 rows, asking for the next panel's lines of B
// while the tiles of this one run took 139 down to 126.
//
// On other days a machine of that kind ran at about 2.2 GHz, the registers did 135 a core, and what
// the tile in L1 got of that changed by the minute: with all elements broadcast first, as in the
// kernels before, 70 to 98 %, with every second one 78 to 100 %. Hence the time of a fused step of
// 2048 rows, d_model 512, d_ff 2048, with a change over the time without, in the same minutes. The
// changes to kernels that broadcast all elements first, in bad minutes and in good ones:
//
//   every second element broadcast by the multiply-adds              0.93         40 rows: 0.92
//   every third                                                      0.95
//   tiles of 6 x 64, which load less                                 0.96   1.02  40 rows: 1.02
//     with k in pieces of 128 whose right-hand panel fits L1         0.96   1.04
//   blocks of 192 or 256 rows                                        1.00   1.00
//   right-hand lines also asked for 64 or 512 steps ahead, to L2     1.00   1.00
//   lines asked for before they are packed                           1.00   1.00
//   the hidden panels completed in a buffer and then copied          1.02   1.02
//   40 rows: the weights' gradients stored through the caches        1.09   1.06
//
// The changes to those that broadcast every second one so, in bad minutes:
//
//   left-hand lines asked for a panel ahead                          0.97
//   tiles of 14 x 32                                                 1.00
//   k in pieces of 128, 192 or 256                                   1.01
//   40 rows: the next right-hand panel asked for ahead, to L2        1.00
//   panels transposed by blocks of 16 x 16 and not of 4 x 4          40 rows: 0.97, 1 row: 0.94
//   AVX2: right-hand lines not asked for                             0.98  40 rows: 0.97
//
// On a Zen 4 EPYC with 1 MiB of L2, where the registers do 118 a core with AVX-512 and with AVX2,
// the tile in L1 or L2 gets 99 % of that. One core, AVX-512, AVX2, and, measured later, SSE2, whose
// registers do 59 and whose tile in L1 gets 90 % of it:
//
//   [4096, 512]·[512, 2048]                           113, 110, 51
//   [4096, 2048]·[2048, 512]                          114, 111, 50
//   [512, 512]ᵀ·[512, 2048]                           113, 106, 50
//   [4096, 2048]ᵀ·[4096, 512]                         110,  99, 46
//   a fused step, 16384 rows                          109,  99, 47
//
// There the result's rows are worth asking for (without, a fused step takes 1.04 of the time), and
// all of these are within 1 %: blocks of 64, 96 or 192 rows; k in pieces of 544 or 576, with which
// panels do not lie a power of two apart; right-hand lines asked for 8 or 32 steps ahead, or not at
// all; left-hand lines not asked for; all elements broadcast by the multiply-adds, or none.
//
// SSE2 broadcasts an element by two instructions, and a step of its tile was 24 that touch vectors
// for 8 multiply-adds: products did 39. Broadcast before the tiles, once for all columns
// (spread.hpp), a block of 32 rows takes the 256 KiB of L2 that 128 do else. Blocks of 64 rows lose
// 2 % there; rows that lie apart and not step by step side by side, 2 %. Tiles of 6 x 8 gained up
// to 4 % in products, when there were four steps between two branches, and nothing in a fused step;
// with eight, tiles of 3 x 16, one row of which is multiplied from memory, gained 1 %, and k in
// pieces of 256 nothing.
//
// What single tiles that read weights as they lie, and outer products, took of the time before, on
// one thread, kernels alone: 1 row, d_model 512, d_ff 128: 0.66; 129, 1000: 0.61; 1500, 4: 0.37;
// 3 rows, 257, 128: 0.69; 8 rows, 1500, 3: 0.59; 777, 100: 0.64 to 1.0. Few columns: dots.hpp.
namespace stepgrad::kernels {
namespace {

constexpr int64_t row_block = spreads ? 32 : 128;  // rows whose left-hand panels stay in L2
constexpr int64_t col_block = 4096;          // columns whose right-hand panels are packed at a time
constexpr int64_t right_size = 2 << 20;      // floats of right-hand panels at a time (8 MiB)
constexpr int64_t few_rows = 8 * tile_rows;  // up to here, the threads share out the columns

enum class Form { nn, nt, tn };

// Y[m, n] = op(A)·op(B), all row-major and dense, by the multiply-adds of E.
template <class E, Form form>
struct Multiply {
  using Left = std::conditional_t<form == Form::tn, Columns, Rows>;
  int64_t m, n, k;
  const float *a, *b;
  float* y;
  bool single;  // not one of a batch

  // The left-hand panels of rows [i, i + rows), steps [p, p + steps).
  STEPGRAD_INLINE void pack_left(int64_t i, int64_t rows, int64_t p, int64_t steps,
                                 float* to) const {
    if constexpr (form == Form::tn) {
      pack_columns<E>(Matrix{a, m}.from(p, i), steps, rows, to);
    } else {
      pack_along<E>(Matrix{a, k}.from(i, p), rows, steps, to);
    }
  }

  // The right-hand panels of columns [j, j + cols), steps [p, p + steps).
  STEPGRAD_INLINE void pack_right(int64_t j, int64_t cols, int64_t p, int64_t steps,
                                  float* to) const {
    if constexpr (form == Form::nt) {
      pack_transposed<E>(Matrix{b, k}.from(j, p), steps, cols, to);
    } else {
      pack_down<E>(Matrix{b, n}.from(p, j), steps, cols, to);
    }
  }

  STEPGRAD_INLINE static int64_t left_size(int64_t rows, int64_t steps) {
    return form == Form::tn ? down_size<E>(steps, rows) : along_size<E>(rows, steps);
  }

  STEPGRAD_INLINE static Left left_panels(const float* at, int64_t rows, int64_t steps) {
    return {at, form == Form::tn ? E::slots(steps) : rows};
  }

  // Where the tiles of rows i.. and the panel of column j go; the sums of earlier k are there.
  STEPGRAD_INLINE ToMatrix result(int64_t i, int64_t j, int64_t p) const {
    return {y + i * n + j, n, static_cast<int>(smaller(panel, n - j)), p > 0, streams()};
  }

  // A single Aᵀ·B is the gradient of a weight, one of a batch that of keys or values.
  STEPGRAD_INLINE bool streams() const {
    return single && form == Form::tn && E::group == 1 && k <= k_block &&
           streams_weight_grad(y, k, m * n, n);
  }

  // left·right, the panels of these rows, columns and steps of k, into that part of the result.
  STEPGRAD_INLINE void multiply_packed(const Left& left, const float* right, Range rows,
                                       Range columns, Range steps) const {
    const int64_t height = rows.end - rows.begin, cols = columns.end - columns.begin;
    const int64_t slots = E::slots(steps.end - steps.begin);
    with_spread(left, height, slots, cols, [&](const auto& block) {
      for (int64_t c = 0; c < cols; c += panel) {
        const PackedRight packed{right + c * slots};
        multiply_panel<E>(height, slots, block, packed, packed,
                          result(rows.begin, columns.begin + c, steps.begin));
      }
    });
  }

  // Many rows: the team packs a piece of B together, then each member takes blocks of rows.
  void by_rows(const Team& team, float* right) const {
    static thread_local Scratch scratch;
    float* left = scratch.floats(left_size(row_block, k_block));
    int64_t blocks = ceil_div(m, row_block);
    blocks = ceil_div(blocks, team.size) * team.size;
    const int64_t grain = form == Form::tn ? panel : 1, grains = ceil_div(m, grain);
    for (int64_t j = 0; j < n; j += col_block) {
      const int64_t cols = smaller(col_block, n - j), panels = count_panels(cols);
      const int64_t depth = larger(1, right_size / (cols * k_block)) * k_block;
      for (int64_t p = 0; p < k; p += depth) {
        const int64_t steps = smaller(depth, k - p);
        for_k_blocks(p, p + steps, [&](int64_t q, int64_t some) {
          const Range mine = team.share(cols, panel);
          pack_right(j + mine.begin, mine.end - mine.begin, q, some,
                     right + E::slots(q - p) * panels * panel + mine.begin * E::slots(some));
        });
        team.wait();
        const Range mine = team.share(blocks);
        for (int64_t block = mine.begin; block < mine.end; ++block) {
          const int64_t i = grains * block / blocks * grain;
          const int64_t rows = smaller(m, grains * (block + 1) / blocks * grain) - i;
          if (rows == 0) continue;
          for_k_blocks(p, p + steps, [&](int64_t q, int64_t some) {
            pack_left(i, rows, q, some, left);
            multiply_packed(left_panels(left, rows, some), right + E::slots(q - p) * panels * panel,
                            {i, i + rows}, {j, j + cols}, {q, q + some});
          });
        }
        team.wait();
      }
    }
  }

  // Few rows: each member packs all of A and takes panels of columns.
  void by_columns(const Team& team) const {
    static thread_local Scratch scratch;
    float* left = scratch.floats(left_size(m, k_block) + down_size<E>(k_block, panel));
    float* own = left + left_size(m, k_block);
    const RightMatrix<E> right = right_matrix(nullptr);
    const Range mine = team.share(n, panel);
    const int64_t step = right.step(m);
    for_k_blocks(0, k, [&](int64_t p, int64_t steps) {
      pack_left(0, m, p, steps, left);
      const int64_t slots = E::slots(steps), cols = mine.end - mine.begin;
      with_spread(left_panels(left, m, steps), m, slots, cols, [&](const auto& all) {
        for (int64_t j = mine.begin; j < mine.end; j += step) {
          right.multiply(m, all, j, smaller(step, mine.end - j), p, own, result(0, j, p));
        }
      });
    });
  }

  STEPGRAD_INLINE RightMatrix<E> right_matrix(float* packed) const {
    constexpr bool transposed = form == Form::nt;
    return {{b, transposed ? k : n}, transposed, k, n, packed};
  }

  // Few columns of a long k: each member takes rows.
  void by_dots(const Team& team, float* packed) const {
    static thread_local Scratch scratch;
    float* own = packed ? nullptr : scratch.floats(k_block * most_dot_columns);
    const RightMatrix<E> right = right_matrix(packed);
    if (packed) right.pack_share(team), team.wait();
    const Range mine = team.share(m);
    for (int64_t i = mine.begin; i < mine.end; i += row_block) {
      for_k_blocks(0, k, [&](int64_t p, int64_t) {
        const PlainRows rows{Matrix{a, k}.from(i, p), m};
        right.multiply(smaller(row_block, mine.end - i), rows, 0, n, p, own, result(i, 0, p));
      });
    }
  }

  template <class Work>
  STEPGRAD_INLINE static void for_k_blocks(int64_t begin, int64_t end, const Work& work) {
    for (int64_t p = begin; p < end; p += k_block) work(p, smaller(k_block, end - p));
  }

  STEPGRAD_INLINE bool dots() const { return form != Form::tn && as_dots<E>(n, k); }

  int64_t shared_size() const {
    const int64_t cols = smaller(n, col_block);
    const int64_t depth = larger(1, right_size / (cols * k_block)) * k_block;
    if (m <= few_rows) return 0;
    return dots() ? right_matrix(nullptr).size() : down_size<E>(smaller(k, depth), cols);
  }

  void run(const Team& team, float* shared) const {
    [[maybe_unused]] const typename E::Setup setup;
    if (form == Form::tn && E::group == 1 && k <= most_outer_rows)
      share_outer(team, k, {a, m, panel}, m, {b, n, panel}, n, streams(), y);
    else if (dots())
      by_dots(team, shared_size() > 0 ? shared : nullptr);
    else if (m <= few_rows)
      by_columns(team);
    else
      by_rows(team, shared);
    if (streams()) fence_streams();
  }
};

template <class E, Form form>
void multiply(const Products& s, const float* a, const float* b, float* y) {
  if (s.k == 0) return fill(s.batch * s.m * s.n, 0.f, y);
  if (s.batch * s.m * s.n == 0) return;
  const auto product = [&](int64_t t) {
    return Multiply<E, form>{s.m,
                             s.n,
                             s.k,
                             a + (s.a_offset ? s.a_offset[t] : 0),
                             b + (s.b_offset ? s.b_offset[t] : 0),
                             y + t * s.m * s.n,
                             s.batch == 1};
  };
  const double work = 2. * static_cast<double>(s.m * s.n) * static_cast<double>(s.k);
  const int threads = threads_for(static_cast<double>(s.batch) * work >= worth_a_team);
  if (s.batch < threads && work >= worth_a_team) {  // one product after another
    static thread_local Scratch scratch;
    for (int64_t t = 0; t < s.batch; ++t) {
      float* shared = scratch.floats(product(t).shared_size());
      run_team(threads, [&](const Team& team) { product(t).run(team, shared); });
    }
    return;
  }
  share_among(threads, s.batch, 1, [&](int64_t t, int64_t end) {
    static thread_local Scratch own;
    for (; t < end; ++t) product(t).run(Team{0, 1}, own.floats(product(t).shared_size()));
  });
}

}  // namespace
}  // namespace stepgrad::kernels
