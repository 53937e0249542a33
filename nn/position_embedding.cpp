#include "nn/position_embedding.hpp"

#include <cmath>
#include <limits>

#include "core/check.hpp"
#include "ops/add.hpp"
#include "ops/arange.hpp"

namespace stepgrad::nn {

Tensor get_sinusoid_encoding_table(int64_t n_seq, int64_t d_hidn, Loc loc) {
  const OpCall call(loc);
  check<ValueError>(n_seq > 0 && d_hidn > 0, "get_sinusoid_encoding_table: n_seq ", n_seq, " and d_hidn ", d_hidn,
      " must be positive");
  const Tensor table = Tensor::empty({n_seq, d_hidn});
  Scalar* cell = table.data();
  for (int64_t position = 0; position < n_seq; ++position) {
    for (int64_t i_hidn = 0; i_hidn < d_hidn; ++i_hidn) {
      const int64_t even = i_hidn / 2 * 2;
      const double angle = double(position) / std::pow(10000.0, double(even) / d_hidn);
      *cell++ = Scalar(i_hidn == even ? std::sin(angle) : std::cos(angle));
    }
  }
  return table;
}

Tensor get_positions(const Tensor& inputs, int64_t i_pad, Loc loc) {
  const ModuleCall call(loc);
  check_operands("get_positions", Arg(inputs));
  check<ShapeError>(inputs.dim() == 2, "get_positions: ", inputs.shape(), " is not [batch, n]");
  const Tensor positions = arange(inputs.size(1)).expand(inputs.shape()) + 1;
  return positions.masked_fill_(inputs.eq(i_pad), 0);
}

// One row per position, and one for padding.
static int64_t rows_for(int64_t n_seq) {
  check<ValueError>(0 <= n_seq && n_seq < std::numeric_limits<int64_t>::max(), "PositionEmbedding: n_seq ", n_seq,
      " is negative or too large to count");
  return n_seq + 1;
}

PositionEmbedding::PositionEmbedding(int64_t n_seq, int64_t d_hidn, int64_t i_pad, OpCall)
    : n_seq(n_seq),
      i_pad(i_pad),
      nn_pos(Embedding::from_pretrained(get_sinusoid_encoding_table(rows_for(n_seq), d_hidn))) {}

Tensor PositionEmbedding::forward(Tensor inputs) {
  check<ShapeError>(inputs.dim() == 2 && inputs.size(1) <= n_seq, "PositionEmbedding: ", inputs.shape(),
      " is not [batch, n] with n up to ", n_seq);
  return nn_pos(get_positions(inputs, i_pad));
}

}
