// What the playground's page asks of WebAssembly, beside what any live page does.
#include "core/trace/engine.hpp"
#include "demos/playground/models.hpp"

namespace stepgrad {

// Of the setup in text(), says the tape.
ENGINE(int, build) {
  return engine_try([] { text_out = demo::tape_of(demo::read_setup(text_in)); });
}

}  // namespace stepgrad
