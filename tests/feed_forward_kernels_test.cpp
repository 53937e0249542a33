// The fused feed-forward layer.
#include <string>

#include "tests/kernels.hpp"

using namespace stepgrad;
using namespace stepgrad::kernels;

namespace {

// One feed-forward layer with everything that goes in and out of it.
struct Layer {
  int64_t rows, d, f;
  Scalar keep;
  bool bias, bf16 = false, train = true;
  Floats x = random_floats(rows * d, 30), w1 = random_floats(d * f, 31), b1 = random_floats(f, 32);
  Floats w2 = random_floats(f * d, 33), b2 = random_floats(d, 34), dy = random_floats(rows * d, 35);

  int64_t small_block() const {  // two for each 512 rows
    const int64_t blocks = 2 * ((rows + 511) / 512);
    return (rows + blocks - 1) / blocks;
  }

  FeedForward arguments() const {
    return {rows,      d,
            f,         x.data(),
            w1.data(), bias ? b1.data() : nullptr,
            w2.data(), bias ? b2.data() : nullptr,
            keep,      7,
            3};
  }

  // Y, dX, dW₁, db₁, dW₂, db₂, one after the other; the gradients by so many threads, unless 0.
  Floats fused(const Table& t, int shift = 0, int grad_threads = 0) const {
    const FeedForward a = arguments();
    const FeedForwardKernels& layer = bf16 ? t.bf16_feed_forward : t.feed_forward;
    Floats saved(static_cast<size_t>(layer.saved_size(a)), NaN);
    return written(2 * rows * d + 2 * d * f + f + d, shift, [&](float* y) {
      float *dx = y + rows * d, *dw1 = dx + rows * d, *db1 = dw1 + d * f, *dw2 = db1 + f;
      layer.forward(a, train ? saved.data() : nullptr, y);
      if (grad_threads > 0) use_threads(grad_threads);
      if (train) layer.grad(a, saved.data(), dy.data(), {dx, dw1, db1, dw2, dw2 + d * f});
    });
  }

  // The same by separate kernels, the weights' gradients as the sums of blocks of so many rows.
  Floats separate(const Table& t, int64_t block) const {
    const float inf = std::numeric_limits<float>::infinity();
    Floats all(static_cast<size_t>(2 * rows * d + 2 * d * f + f + d), NAN);
    float* y = all.data();
    float *dx = y + rows * d, *dw1 = dx + rows * d, *db1 = dw1 + d * f, *dw2 = db1 + f;
    const int64_t n = rows * f;
    const Strides each = strides({n}, {1}, {1});
    Floats z(n), h(n), mask(n, 1), dz(n);
    const Matmul& matmul = bf16 ? t.bf16_matmul : t.matmul;
    const auto product = [&](Product kernel, const Products& s, const float* a, const float* b,
                             float* to) {
      kernel(s, a, b, to);
      if (bf16) t.bfloat16(s.m * s.n, to, to);
    };
    product(matmul.nn, {rows, f, d}, x.data(), w1.data(), z.data());
    if (bias) t.add(strides({rows, f}, {f, 1}, {0, 1}), z.data(), b1.data(), z.data());
    t.clamp(n, z.data(), 0, inf, h.data());
    if (keep < 1) t.dropout_mask({rows, f, 7, 3}, keep, mask.data());
    t.mul(each, h.data(), mask.data(), h.data());
    product(matmul.nn, {rows, d, f}, h.data(), w2.data(), y);
    if (bias) t.add(strides({rows, d}, {d, 1}, {0, 1}), y, b2.data(), y);
    if (!train) return all;
    product(matmul.nt, {rows, f, d}, dy.data(), w2.data(), dz.data());
    t.mul(each, dz.data(), mask.data(), dz.data());
    t.clamp_grad(n, dz.data(), z.data(), 0, inf, dz.data());
    product(matmul.nt, {rows, d, f}, dz.data(), w1.data(), dx);
    const auto weight_grad = [&](int64_t m, const Floats& a, int64_t cols, const Floats& b,
                                 float* to) {
      Floats part(m * cols);
      for (int64_t r = 0; r < rows; r += block) {
        product(matmul.tn, {m, cols, std::min(block, rows - r)}, &a[r * m], &b[r * cols],
                r == 0 ? to : part.data());
        if (r > 0) t.add(strides({m * cols}, {1}, {1}), to, part.data(), to);
      }
    };
    weight_grad(d, x, f, dz, dw1);
    t.sum(1, rows, f, dz.data(), db1);
    weight_grad(f, h, d, dy, dw2);
    t.sum(1, rows, d, dy.data(), dw2 + d * f);
    return all;
  }
};

// That the fused layer equals the separate kernels, for each table, in floats and bfloat16s.
void check_fused(const std::vector<Layer>& layers) {
  std::vector<const Table*> tables = bf16_tables();
  tables.push_back(&scalar());
  // Run before each, so that stale working memory of any thread would show.
  std::vector<Layer> infinite = {Layer{97, 120, 44, 1.f, true}, Layer{16, 180, 180, 1.f, true},
                                 Layer{64, 3, 50, 1.f, true},   Layer{1800, 3, 5, 1.f, true},
                                 Layer{1, 400, 330, 1.f, true}, Layer{64, 520, 7, 1.f, true}};
  for (Layer& layer : infinite) {
    for (Floats* values : {&layer.x, &layer.w1, &layer.b1, &layer.w2, &layer.dy}) {
      std::fill(values->begin(), values->end(), std::numeric_limits<float>::infinity());
    }
  }
  for (const Table* t : tables) {
    for (Layer layer : layers) {
      for (const bool bf16 : {false, true}) {
        layer.bf16 = bf16;
        for (Layer& before : infinite) {
          before.bf16 = bf16;
          if (t != &scalar()) before.fused(*t);  // which needs no working memory
        }
        CAPTURE(t->name, bf16, layer.rows, layer.d, layer.f);
        const Floats fused = layer.fused(*t), separate = layer.separate(*t, layer.rows);
        const size_t values = static_cast<size_t>(layer.rows * layer.d);
        const size_t weights = static_cast<size_t>(layer.d * layer.f);
        const size_t w2 = 2 * values + weights + static_cast<size_t>(layer.f);
        const auto same = [&](const Floats& want, size_t from, size_t n) {
          return std::memcmp(&fused[from], &want[from], n * sizeof(float)) == 0;
        };
        const auto same_weight_grads = [&](const Floats& want) {
          return same(want, 2 * values, weights) && same(want, w2, weights);
        };
        REQUIRE(same(separate, 0, 2 * values));  // Y, dX
        // Of one panel of hidden columns and more rows, dW₁ and dW₂ may be sums of smaller blocks.
        REQUIRE((same_weight_grads(separate) ||
                 (!bf16 && layer.f <= 32 && layer.rows > std::min<int64_t>(96, 10 * layer.f - 1) &&
                  same_weight_grads(layer.separate(*t, layer.small_block())))));
        float largest = 1;
        for (float v : separate) largest = std::max(largest, std::fabs(v));
        REQUIRE(largest_difference(fused, separate) <= 1e-5f * largest);
        REQUIRE(same_for_any_threads([&] { return layer.fused(*t); }));
        Layer eval = layer;
        eval.train = false;
        const Floats alone = eval.fused(*t);
        REQUIRE(std::memcmp(fused.data(), alone.data(), values * sizeof(float)) == 0);
      }
    }
  }
}

}  // namespace

TEST_CASE("the fused feed-forward layer equals the separate kernels, dropout included") {
  const std::vector<Layer> layers = {
      {21, 33, 65, 0.9f, true},    {1, 1, 1, 0.5f, true},      {40, 64, 128, 0.9f, false},
      {97, 33, 17, 1.f, true},     {1100, 40, 70, 0.8f, true}, {130, 600, 20, 0.9f, true},
      {20, 20, 1030, 0.9f, true},  {301, 5, 3, 0.9f, false},   {255, 5, 3, 0.9f, true},
      {511, 5, 40, 0.9f, true},    {383, 5, 3, 0.9f, true},    {1023, 5, 3, 0.9f, true},
      {2100, 1, 4, 0.9f, true},    {700, 16, 512, 0.9f, true}, {513, 4, 513, 0.9f, true},
      {97, 2, 6, 1.f, false},      {1537, 96, 80, 0.8f, true}, {33300, 3, 2, 0.8f, true},
      {1100, 100, 90, 0.8f, true}, {700, 5, 512, 0.9f, true},  {700, 3, 512, 0.9f, true},
      {1024, 31, 100, 0.9f, true}, {1, 1500, 700, 0.9f, true}, {3, 601, 700, 0.9f, true},
      {8, 77, 1000, 0.9f, true},   {12, 900, 100, 0.9f, true}, {9, 3, 600, 0.9f, true},
      {60, 1000, 20, 0.9f, true},  {300, 600, 4, 0.9f, true},  {3000, 1, 4, 0.9f, true},
      {13, 1000, 40, 0.9f, true},  {8, 4000, 20, 0.9f, true},  {7, 9, 5, 0.9f, true},
      {30, 40, 8, 0.9f, true},     {2, 4096, 1, 0.9f, true},   {9, 131, 8, 0.9f, true},
      {8, 129, 4, 0.9f, true},     {150, 515, 3, 0.9f, false}, {60, 16, 128, 0.9f, true},
      {3, 5, 700, 0.9f, true},     {700, 130, 16, 0.9f, true}, {14, 1030, 7, 0.9f, true},
      {2, 20000, 1, 0.9f, true},   {8, 9000, 4, 0.9f, true},   {14, 5000, 7, 0.9f, true},
      {40, 600, 1, 0.9f, true},    {1100, 600, 1, 0.9f, true}, {9, 1, 600, 0.9f, true},
      {200, 1, 600, 0.9f, true},   {40, 1000, 13, 0.9f, true}, {12, 3000, 15, 0.9f, true},
      {2, 1000, 300, 0.9f, true},  {500, 33, 220, 0.9f, true}, {12, 300, 224, 0.9f, true},
      {17, 257, 2, 0.9f, true},    {45, 600, 5, 0.9f, true},   {50, 100, 8, 0.9f, true},
      {1100, 90, 3, 0.9f, true},   {29, 40, 12, 0.9f, true},   {700, 1100, 7, 0.9f, true},
      {513, 1030, 9, 0.9f, true},  {40, 300, 16, 0.9f, true},  {61, 70, 14, 0.9f, true},
      {20, 4000, 7, 0.9f, true},   {300, 72, 2, 0.9f, true},   {300, 2, 72, 0.9f, true},
      {1100, 70, 1, 0.9f, true},   {300, 1, 64, 0.9f, true},   {45, 600, 6, 0.9f, true},
      {700, 130, 6, 0.9f, true},   {8, 1000, 6, 0.9f, true},   {5, 90, 2, 0.9f, true},
      {600, 1030, 1, 0.9f, true},  {600, 1030, 2, 0.9f, true}, {600, 1100, 3, 0.9f, true},
      {600, 1030, 5, 0.9f, true},  {600, 1030, 6, 0.9f, true}, {150, 300, 17, 0.9f, true},
      {1290, 70, 31, 0.9f, false}, {130, 512, 30, 0.9f, true}, {257, 200, 32, 0.9f, true},
      {97, 1000, 3, 0.9f, true},   {16500, 40, 1, 0.9f, true}, {40, 4096, 2, 0.9f, true},
      {96, 1000, 9, 0.9f, true},   {11, 14000, 1, 0.9f, true}, {20, 8200, 2, 0.9f, false}};
  check_fused(layers);
}

TEST_CASE("the fused layer of few rows, and of every width, equals the separate kernels") {
  std::vector<Layer> layers;
  for (int64_t rows = 1; rows <= 13; ++rows) {
    layers.push_back({rows, 50 + 7 * rows, 140 - 9 * rows, 0.7f, true});
    layers.push_back({rows, 40, rows, 0.7f, true});
  }
  for (int64_t width = 1; width <= 40; ++width) {
    layers.push_back({23, 3, width, 0.7f, true});
    layers.push_back({23, width, 3, 0.7f, true});
    layers.push_back({67, 3, width, 0.7f, true});
    layers.push_back({67, width, 9, 0.7f, width % 2 == 0});
    layers.push_back({15 + width, 4, 5, 0.7f, true});
  }
  check_fused(layers);
}

TEST_CASE("the layer's gradients are the same if more threads made its output") {
  for (const Layer& layer : {Layer{40, 4096, 2, 0.9f, true}, Layer{300, 600, 4, 0.9f, true},
                             Layer{1100, 40, 70, 0.9f, true}, Layer{60, 1000, 20, 0.9f, true},
                             Layer{2000, 3, 5, 0.9f, true}}) {
    for (const Table* t : vector_tables()) {
      CAPTURE(t->name, layer.rows);
      for (int threads : {1, 2}) {
        use_threads(8);
        const Floats mixed = layer.fused(*t, 0, threads);
        REQUIRE(same_bits(layer.fused(*t), mixed));
      }
    }
  }
  use_threads(2);
}

TEST_CASE("an infinite weight reaches no bias gradient by rows that do not exist") {
  Layer layer{67, 3, 5, 1.f, true};
  for (int64_t j = 0; j < layer.f; ++j) {
    layer.w2[j * layer.d] = std::numeric_limits<float>::infinity();
  }
  for (float& v : layer.dy) v = std::fabs(v) + 1;
  for (float& v : layer.b1) v = 1;
  const size_t db1 = static_cast<size_t>(2 * layer.rows * layer.d + layer.d * layer.f);
  for (const Table* t : vector_tables()) {
    const Floats fused = layer.fused(*t), separate = layer.separate(*t, layer.rows);
    for (size_t j = 0; j < static_cast<size_t>(layer.f); ++j) {
      CAPTURE(t->name, j);
      REQUIRE(fused[db1 + j] == separate[db1 + j]);
    }
  }
}

TEST_CASE("the layer's gradients do not depend on which of them are wanted") {
  for (const Layer& layer :
       {Layer{3000, 3, 5, 0.9f, true}, Layer{700, 40, 20, 0.9f, true}, Layer{6, 40, 20, 0.9f, true},
        Layer{60, 1000, 20, 0.9f, true}, Layer{50, 40, 20, 0.9f, true}, Layer{50, 3, 5, 0.9f, true},
        Layer{50, 40, 5, 0.9f, true}, Layer{700, 1100, 7, 0.9f, true},
        Layer{1100, 90, 3, 0.9f, true}, Layer{300, 600, 4, 0.9f, true},
        Layer{40, 4096, 2, 0.9f, true}}) {
    const FeedForward a = layer.arguments();
    const int64_t sizes[] = {layer.rows * layer.d, layer.d * layer.f, layer.f, layer.f * layer.d,
                             layer.d};
    const auto check = [&](const char* name, const FeedForwardKernels& kernels) {
      Floats saved(static_cast<size_t>(kernels.saved_size(a))), y(layer.rows * layer.d);
      kernels.forward(a, saved.data(), y.data());
      const auto gradients = [&](int unwanted) {
        std::vector<Floats> all;
        for (int64_t n : sizes) all.emplace_back(n, 7.f);
        float* to[5];
        for (int i = 0; i < 5; ++i) to[i] = i == unwanted ? nullptr : all[i].data();
        kernels.grad(a, saved.data(), layer.dy.data(), {to[0], to[1], to[2], to[3], to[4]});
        return all;
      };
      const std::vector<Floats> all = gradients(-1);
      for (int unwanted = 0; unwanted < 5; ++unwanted) {
        const std::vector<Floats> some = gradients(unwanted);
        for (int i = 0; i < 5; ++i) {
          CAPTURE(name, layer.rows, unwanted, i);
          REQUIRE(some[i] == (i == unwanted ? Floats(all[i].size(), 7.f) : all[i]));
        }
      }
    };
    for (const Table* t : vector_tables()) check(t->name, t->feed_forward);
    for (const Table* t : bf16_tables()) check(t->name, t->bf16_feed_forward);
  }
}

TEST_CASE("sums of blocks below the normal numbers are zeros among bfloat16s") {
  for (const Table* t : bf16_tables()) {
    const size_t n = 400;
    size_t zeros = 0;
    for (const float size : {2e-19f, 3e-19f}) {  // AMX has such sums for the second only
      Layer layer{1100, 20, 20, 1.f, false};
      layer.bf16 = true;
      for (Floats* values : {&layer.x, &layer.dy}) {
        for (float& v : *values) v *= size;
      }
      const Floats fused = layer.fused(*t), separate = layer.separate(*t, layer.rows);
      const size_t dw1 = static_cast<size_t>(2 * layer.rows * layer.d);
      for (size_t i = dw1; i < dw1 + n; ++i) {
        CAPTURE(t->name, size, i - dw1);
        REQUIRE(fused[i] == separate[i]);
        zeros += separate[i] == 0;
      }
    }
    CAPTURE(t->name);
    REQUIRE((zeros > 0 && zeros < 2 * n));
  }
}

TEST_CASE("the layer's bias gradients keep their digits over many rows") {
  Layer layer{20000, 130, 70, 1.f, true};
  std::fill(layer.dy.begin(), layer.dy.end(), 0.1f);
  for (const Table* t : vector_tables()) {
    const Floats all = layer.fused(*t);
    const Scalar want = 0.1f * static_cast<Scalar>(layer.rows);
    CAPTURE(t->name);
    for (size_t i = all.size() - static_cast<size_t>(layer.d); i < all.size(); ++i) {
      REQUIRE(std::fabs(all[i] - want) <= 1e-5f * want);
    }
  }
}

TEST_CASE("large gradients of the layer's weights have the same bits wherever they lie") {
  for (int64_t rows : {6, 12}) {
    const Layer layer{rows, 1024, 1040, 0.9f, true};  // stored past the caches, if aligned
    for (const Table* t : vector_tables()) {
      CAPTURE(t->name, rows);
      REQUIRE(same_bits(layer.fused(*t), layer.fused(*t, 1)));
      REQUIRE(same_for_any_threads([&] { return layer.fused(*t); }));
    }
  }
}
