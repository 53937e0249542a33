// The engine as a live page calls it, in WebAssembly: a tape that is computed again and again. Text
// goes in by text() and load(), and comes out by said(). What fails returns 0 and says why.
#include <limits>
#include <memory>

#include "core/check.hpp"
#include "core/trace/engine.hpp"
#include "core/trace/replay.hpp"

namespace stepgrad {

std::string text_in, text_out;

namespace {
std::unique_ptr<Replay> replay;

// The page knows tensors by their places, and so the one that it asks about.
std::string json_around(Recording recording, size_t value, int64_t cell) {
  Cell asked{"asked", {}};
  const Shape& shape = recording.values.at(value).shape;
  for (int d = shape.numel() ? shape.dims() - 1 : -1; d >= 0; --d) {
    asked.index.insert(asked.index.begin(), cell % shape[d]);
    cell /= shape[d];
  }
  recording.values[value].name = asked.name;
  return to_json(recording, asked);
}
}  // namespace

ENGINE(char*, text, size_t bytes) {
  text_in.resize(bytes);
  return text_in.data();
}
ENGINE(const char*, said) { return text_out.data(); }
ENGINE(size_t, said_bytes) { return text_out.size(); }

// What to_text() has said of a tape.
ENGINE(int, load) {
  return engine_try([] { replay = std::make_unique<Replay>(text_in); });
}
// Says the recording's JSON, with what large tensors have around a cell.
ENGINE(int, run, size_t value, double cell) {
  return engine_try(
      [&] { text_out = json_around(replay->run(), value, static_cast<int64_t>(cell)); });
}
ENGINE(double, loss) {
  double loss = std::numeric_limits<double>::quiet_NaN();
  engine_try([&] { loss = replay->loss(); });
  return loss;
}

// The numbers of a leaf, a constant or a mask, to be read and written there; null of others.
ENGINE(Scalar*, numbers, size_t value) {
  const Tensor& x = replay->given(value);
  return x.defined() ? x.data() : nullptr;
}

ENGINE(int, step, size_t value, Scalar rate) {
  return engine_try([&] { replay->step(value, rate); });
}
ENGINE(void, keep_gradients) { replay->keep_gradients(); }
ENGINE(void, zero_grad) { replay->zero_grad(); }
ENGINE(int, draw, int training) {
  return engine_try([&] { replay->draw(training); });
}

}  // namespace stepgrad
