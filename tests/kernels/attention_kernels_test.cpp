// Fused attention against the separate kernels.
#include "tests/kernels/kernels.hpp"

namespace {

enum class Masked { nothing, causal, keys, anything, rows };

// Attention with all inputs and outputs.
struct Case {
  int64_t heads, n_q, n_k, d, d_v;
  Masked masked;
  float keep;
  float fill = -1e9f;
  Floats q = random_floats(heads * n_q * d, 40), k = random_floats(heads * n_k * d, 41);
  Floats v = random_floats(heads * n_k * d_v, 42), dy = random_floats(heads * n_q * d_v, 43);
  Floats mask{};  // [heads, n_q, n_k], or [n_k] for `keys`
  std::vector<int64_t> offsets{};

  Attention arguments() {
    Attention f{heads, n_q, n_k, d, d_v, q.data(), k.data(), v.data(), 0.3f, fill};
    f.causal = masked == Masked::causal;
    f.keep = keep, f.seed = 7, f.call = 3, f.first_row = 5;
    if (masked == Masked::nothing || masked == Masked::causal) return f;
    const bool keys = masked == Masked::keys;
    mask = random_floats(keys ? n_k : heads * n_q * n_k, 44, 1);
    for (size_t i = 0; i < mask.size(); ++i) {
      const bool whole_row = masked == Masked::rows && i / size_t(n_k) % 3 == 1;
      const bool tail = masked == Masked::keys && int64_t(i) > n_k / 2;
      const float hides[] = {1, -1, NaN}, shows[] = {0, -0.f};
      mask[i] = mask[i] > 0.3f || whole_row || tail ? hides[i % 3] : shows[i % 2];
    }
    offsets.assign(heads, 0);
    for (int64_t h = 0; h < heads && !keys; ++h) offsets[size_t(h)] = h * n_q * n_k;
    f.mask = mask.data(), f.mask_offset = offsets.data();
    f.mask_row = keys ? 0 : n_k, f.mask_column = 1;
    return f;
  }

  int64_t y_size() const { return heads * n_q * d_v; }
  int64_t all() const { return y_size() + heads * (n_q * d + n_k * d + n_k * d_v); }

  // Y, dQ, dK, dV, one after the other.
  Floats fused(const Table& t) {
    const Attention f = arguments();
    return written(all(), 0, [&](float* y) {
      float *dq = y + y_size(), *dk = dq + heads * n_q * d, *dv = dk + heads * n_k * d;
      t.attention.forward(f, y);
      t.attention.grad(f, dy.data(), {dq, dk, dv});
    });
  }

  // Computes it by separate kernels.
  Floats separate(const Table& t) {
    const Attention f = arguments();
    Floats result(all(), NaN);
    float* y = result.data();
    float *dq = y + y_size(), *dk = dq + heads * n_q * d, *dv = dk + heads * n_k * d;
    const int64_t n = n_q * n_k;
    const Strides each = strides({n}, {1}, {1}), by_one = strides({n}, {1}, {0});
    for (int64_t h = 0; h < heads; ++h) {
      const auto of = [&](const Floats& x, int64_t size) { return x.data() + h * size; };
      Floats s(n), p(n), m(n, 1), hidden(n), dropped(n), g(n);
      for (int64_t i = 0; i < n; ++i) {
        const int64_t r = i / n_k, c = i % n_k;
        hidden[i] = f.causal ? c > r : f.mask ? f.mask[f.mask_offset[h] + r * f.mask_row + c] != 0 : 0;
      }
      t.matmul.nt({n_q, n_k, d}, of(q, n_q * d), of(k, n_k * d), s.data());
      t.mul(by_one, s.data(), &f.scale, s.data());
      t.masked_fill(each, s.data(), hidden.data(), f.fill, s.data());
      t.softmax(n_q, n_k, s.data(), p.data());
      if (keep < 1) t.dropout_mask({n_q, n_k, 7, 3, 5 + h * n_q}, keep, m.data());
      t.mul(each, p.data(), m.data(), dropped.data());
      t.div(by_one, dropped.data(), &keep, dropped.data());
      t.matmul.nn({n_q, d_v, n_k}, dropped.data(), of(v, n_k * d_v), y + h * n_q * d_v);
      const float* dy_h = of(dy, n_q * d_v);
      t.matmul.tn({n_k, d_v, n_q}, dropped.data(), dy_h, dv + h * n_k * d_v);
      t.matmul.nt({n_q, n_k, d_v}, dy_h, of(v, n_k * d_v), g.data());
      t.div(by_one, g.data(), &keep, g.data());
      t.mul(each, g.data(), m.data(), g.data());
      t.softmax_grad(n_q, n_k, g.data(), p.data(), g.data());
      t.masked_fill(each, g.data(), hidden.data(), 0, g.data());
      t.mul(by_one, g.data(), &f.scale, g.data());
      t.matmul.nn({n_q, d, n_k}, g.data(), of(k, n_k * d), dq + h * n_q * d);
      t.matmul.tn({n_k, d, n_q}, g.data(), of(q, n_q * d), dk + h * n_k * d);
    }
    return result;
  }
};

// For each table and any number of threads: Y bit by bit, the gradients but for rounding.
void check_fused(Case c) {
  for (const Table* t : all_tables()) {
    CAPTURE(t->name, c.heads, c.n_q, c.n_k, c.d, c.d_v, int(c.masked), c.keep);
    const Floats fused = c.fused(*t), separate = c.separate(*t);
    const auto values = size_t(c.y_size());
    REQUIRE(std::memcmp(fused.data(), separate.data(), values * sizeof(float)) == 0);
    check_close(fused, separate, 1e-5f, 2e-5f);
    if (t != &scalar()) REQUIRE(same_for_any_threads([&] { return c.fused(*t); }));
  }
}

}

TEST_CASE("fused attention has the bits of the separate kernels, dropout included") {
  for (const Masked masked : {Masked::nothing, Masked::causal, Masked::keys, Masked::anything, Masked::rows}) {
    check_fused({2, 7, 7, 5, 3, masked, 1.f});
    check_fused({3, 33, 33, 16, 16, masked, 0.9f});
    check_fused({1, 1, 1, 1, 1, masked, 0.5f});
  }
  check_fused({1, 150, 270, 40, 33, Masked::anything, 0.8f});
  check_fused({2, 150, 150, 64, 64, Masked::causal, 0.9f});
  // The last query's last key begins a panel.
  check_fused({1, 161, 161, 8, 8, Masked::causal, 1.f});
  check_fused({5, 1, 600, 8, 70, Masked::keys, 1.f});
  check_fused({1, 20, 1100, 4, 6, Masked::nothing, 0.9f});
  check_fused({1, 9, 30, 600, 2, Masked::nothing, 1.f});
}

TEST_CASE("fused attention looks at no key behind the last one, unless scores lie as low as fill") {
  Case c{1, 40, 200, 8, 8, Masked::keys, 1.f};
  c.fill = -1;  // so that masked keys count
  check_fused(c);
  Case infinite{2, 70, 70, 8, 8, Masked::causal, 1.f};
  infinite.fill = -inf;
  check_fused(infinite);
}
