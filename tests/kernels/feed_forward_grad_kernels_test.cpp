// Properties of the fused layer's gradients.

#include "tests/kernels/feed_forward_layer.hpp"

TEST_CASE("the layer's gradients are the same if more threads made its output") {
  for (const Layer& layer :
      {Layer{40, 400, 2, 0.9f, true}, Layer{300, 60, 4, 0.9f, true}, Layer{1100, 40, 70, 0.9f, true}}) {
    for (const Table* t : vector_tables()) {
      CAPTURE(t->name, layer.rows);
      for (int threads : {1, 2}) {
        set_num_threads(8);
        const Floats mixed = layer.fused(*t, 0, threads);
        REQUIRE(same_bits(layer.fused(*t), mixed));
      }
    }
  }
  set_num_threads(2);
}

TEST_CASE("an infinite weight reaches no bias gradient by rows that do not exist") {
  Layer layer{67, 3, 5, 1.f, true};
  for (int64_t j = 0; j < layer.f; ++j) layer.w2[j * layer.d] = inf;
  for (float& v : layer.dy) v = std::fabs(v) + 1;
  for (float& v : layer.b1) v = 1;
  const size_t db1 = size_t(2 * layer.rows * layer.d + layer.d * layer.f);
  for (const Table* t : vector_tables()) {
    const Floats fused = layer.fused(*t), separate = layer.separate(*t);
    for (size_t j = 0; j < size_t(layer.f); ++j) {
      CAPTURE(t->name, j);
      REQUIRE(fused[db1 + j] == separate[db1 + j]);
    }
  }
}

TEST_CASE("the layer's gradients do not depend on which of them are needed") {
  for (const Layer& layer : {Layer{1100, 3, 5, 0.9f, true}, Layer{40'000, 3, 5, 0.9f, true},
           Layer{700, 40, 20, 0.9f, true}, Layer{6, 40, 20, 0.9f, true}, Layer{60, 300, 90, 0.9f, true}}) {
    const FeedForward a = layer.arguments();
    const int64_t sizes[] = {layer.rows * layer.d, layer.d * layer.f, layer.f, layer.f * layer.d, layer.d};
    for (const Table* t : vector_tables()) {
      const FeedForwardKernels& kernels = t->feed_forward;
      Floats saved(kernels.saved_size(a)), y(layer.rows * layer.d);
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
          CAPTURE(t->name, layer.rows, unwanted, i);
          REQUIRE(some[i] == (i == unwanted ? Floats(all[i].size(), 7.f) : all[i]));
        }
      }
    }
  }
}

TEST_CASE("large gradients of the layer's weights have the same bits wherever they lie") {
  // Stored past the caches, if aligned, but for those that are sums over several blocks of rows.
  for (const Layer& layer : {Layer{6, 1024, 1040, 0.9f, true}, Layer{600, 1024, 1040, 0.9f, true}}) {
    for (const Table* t : vector_tables()) {
      CAPTURE(t->name, layer.rows);
      REQUIRE(same_bits(layer.fused(*t), layer.fused(*t, 1)));
      REQUIRE(same_for_any_threads([&] { return layer.fused(*t); }));
    }
  }
}
