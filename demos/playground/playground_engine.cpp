// The playground's own functions of the engine in WebAssembly.
#include "core/trace/engine.hpp"
#include "demos/playground/models.hpp"

namespace stepgrad {

// Writes the tape of the setup in text().
ENGINE(int, build) {
  return engine_try([] { text_out = demo::tape_of(demo::read_setup(text_in)); });
}

}
