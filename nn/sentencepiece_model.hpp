#pragma once

#include <string_view>

namespace stepgrad::nn {

// Whether a model that SentencePiece has loaded is whole and leads it nowhere else when it encodes.
// It does not ask: a file that was cut off between two pieces is a smaller vocabulary to it, and
// one that was overwritten in its map of characters makes it read beyond its memory.
bool is_sound_model(std::string_view model);

}  // namespace stepgrad::nn
