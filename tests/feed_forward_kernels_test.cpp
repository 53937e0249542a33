// The fused feed-forward layer against the separate kernels.
#include "tests/feed_forward_layer.hpp"

using namespace stepgrad;
using namespace stepgrad::kernels;

namespace {

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
                 (!bf16 && layer.f <= 32 && (layer.rows > 96 || layer.rows >= 10 * layer.f) &&
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
      {35, 600, 130, 0.9f, true},  {35, 130, 600, 0.9f, true}, {2, 1000, 300, 0.9f, true},
      {500, 33, 220, 0.9f, true},  {12, 300, 224, 0.9f, true}, {17, 257, 2, 0.9f, true},
      {45, 600, 5, 0.9f, true},    {50, 100, 8, 0.9f, true},   {1100, 90, 3, 0.9f, true},
      {29, 40, 12, 0.9f, true},    {700, 1100, 7, 0.9f, true}, {513, 1030, 9, 0.9f, true},
      {40, 300, 16, 0.9f, true},   {61, 70, 14, 0.9f, true},   {20, 4000, 7, 0.9f, true},
      {300, 72, 2, 0.9f, true},    {300, 2, 72, 0.9f, true},   {1100, 70, 1, 0.9f, true},
      {300, 1, 64, 0.9f, true},    {45, 600, 6, 0.9f, true},   {700, 130, 6, 0.9f, true},
      {8, 1000, 6, 0.9f, true},    {5, 90, 2, 0.9f, true},     {600, 1030, 1, 0.9f, true},
      {600, 1030, 2, 0.9f, true},  {600, 1100, 3, 0.9f, true}, {600, 1030, 5, 0.9f, true},
      {600, 1030, 6, 0.9f, true},  {150, 300, 17, 0.9f, true}, {1290, 70, 31, 0.9f, false},
      {130, 512, 30, 0.9f, true},  {257, 200, 32, 0.9f, true}, {97, 1000, 3, 0.9f, true},
      {16500, 40, 1, 0.9f, true},  {40, 4096, 2, 0.9f, true},  {96, 1000, 9, 0.9f, true},
      {11, 14000, 1, 0.9f, true},  {20, 8200, 2, 0.9f, false}};
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
