// A live page's interface to the engine, in WebAssembly: a tape that is recomputed again and again.
// Text goes in by text() and load(), and comes out by said(). A function that fails returns 0, and
// said() is the message.
#include <limits>
#include <memory>

#include "core/check.hpp"
#include "core/trace/arrays.hpp"
#include "core/trace/engine.hpp"
#include "core/trace/replay.hpp"

namespace stepgrad {

std::string text_in, text_out;

namespace {
std::unique_ptr<Replay> replay;
Tensor shown;      // by output()
Arrays now, kept;  // what the page may read of the last run, and of the run it compares with
}

ENGINE(char*, text, size_t bytes) {
  text_in.resize(bytes);
  return text_in.data();
}
ENGINE(const char*, said) { return text_out.data(); }
ENGINE(size_t, said_bytes) { return text_out.size(); }

// Loads the text of to_text().
ENGINE(int, load) {
  return engine_try([] {
    replay = std::make_unique<Replay>(text_in);
    text_in.clear(), text_in.shrink_to_fit();
  });
}
// Writes the address of each tensor's numbers, valid until the next run, or while kept.
ENGINE(int, run) {
  return engine_try([] {
    const Recording recording = replay->run();
    now = Arrays();
    text_out = numbers_json(recording, now);
  });
}
ENGINE(int, keep) {
  return engine_try([] {
    replay->keep_numbers();
    kept = now;
  });
}
// A summary of the numbers at `data`, for the page's picture.
ENGINE(int, summary, const Scalar* data, size_t columns, size_t count) {
  return engine_try([&] {
    const auto [of_row, all] = std::pair{int64_t(columns), int64_t(count)};
    text_out = now.summary(data, of_row, all);
    if (text_out.empty()) text_out = kept.summary(data, of_row, all);
    check<ValueError>(!text_out.empty(), "engine: there is no tensor at this address any more");
  });
}
ENGINE(double, loss) {
  double loss = std::numeric_limits<double>::quiet_NaN();
  engine_try([&] { loss = replay->loss(); });
  return loss;
}
// An op's numbers, computed forward alone, until the next call; null: it failed.
ENGINE(const Scalar*, output, size_t value) {
  shown = {};
  engine_try([&] { shown = replay->output(value); });
  return shown.defined() ? shown.data() : nullptr;
}

// The numbers of a leaf, a constant or a mask, which the page may read and write; null for others.
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

}
