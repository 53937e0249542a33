// The fused feed-forward layer against the separate kernels.
#include "tests/kernels/feed_forward_layer.hpp"

namespace {

// Leaves infinities in the working memory of the layer's threads, where they would show if they
// were used.
void spoil_layer_memory(const Table& t) {
  for (Layer layer : {Layer{3, 200, 180, 1.f, true}, Layer{600, 130, 70, 1.f, true}}) {
    for (Floats* values : {&layer.x, &layer.w1, &layer.b1, &layer.w2, &layer.dy}) {
      std::fill(values->begin(), values->end(), inf);
    }
    layer.fused(t);
  }
}

// That the fused layer has the bits of the separate kernels, both directions, for each table and
// any number of threads.
void check_fused(const Layer& layer) {
  for (const Table* t : all_tables()) {
    if (t != &scalar()) spoil_layer_memory(*t);
    CAPTURE(t->name, layer.rows, layer.d, layer.f);
    const Floats fused = layer.fused(*t);
    check_close(fused, layer.separate(*t), 0);
    REQUIRE(same_for_any_threads([&] { return layer.fused(*t); }));
    Layer eval = layer;
    eval.train = false;
    const Floats alone = eval.fused(*t);
    const size_t values = size_t(layer.rows * layer.d);
    REQUIRE(std::memcmp(fused.data(), alone.data(), values * sizeof(float)) == 0);
  }
}

}

TEST_CASE("the fused feed-forward layer has the bits of the separate kernels, dropout included") {
  for (const Layer& layer : {Layer{21, 33, 65, 0.9f, true}, Layer{1, 1, 1, 0.5f, true}, Layer{40, 64, 128, 0.9f, false},
           Layer{97, 33, 17, 1.f, true}, Layer{130, 600, 20, 0.9f, true}, Layer{20, 20, 1030, 0.9f, true},
           Layer{301, 5, 3, 0.9f, false}, Layer{513, 4, 513, 0.9f, true}, Layer{1, 700, 530, 0.9f, true},
           Layer{3, 601, 70, 0.9f, false}, Layer{7, 9, 5, 0.9f, true}, Layer{40, 2000, 2, 0.9f, true},
           Layer{200, 2, 600, 0.9f, true}, Layer{1100, 40, 70, 0.8f, true}, Layer{1537, 96, 80, 0.8f, true}}) {
    check_fused(layer);
  }
}

TEST_CASE("a fused layer passes a gradient where its clamp is given 0, unless that is a relu") {
  for (const bool relu : {false, true}) {
    Layer layer{21, 33, 65, 0.9f, true};
    std::fill_n(layer.x.begin(), 33 * 7, 0.f);
    for (size_t i = 0; i < 65; i += 2) layer.b1[i] = 0;
    layer.b1[63] = NaN;  // a NaN passes a relu's, and no clamp's
    layer.relu = relu;
    check_fused(layer);
  }
}

TEST_CASE("the fused layer of every width up to some panels has the bits of separate kernels") {
  for (int64_t width = 2; width <= 40; width += 3) {
    check_fused({23, 3, width, 0.7f, true});
    check_fused({67, width, 9, 0.7f, width % 2 == 0});
    check_fused({90 + width, 4, 5, 0.7f, true});
  }
}

TEST_CASE("the fused layer's mask begins at any row, as the separate kernels' does") {
  for (const int64_t first_row : {1, 15, 16, 63, 1'000'003}) {
    for (Layer layer : {Layer{21, 33, 65, 0.7f, true}, Layer{67, 9, 130, 0.5f, false}, Layer{1, 5, 17, 0.5f, true}}) {
      layer.first_row = first_row;
      check_fused(layer);
    }
  }
}
