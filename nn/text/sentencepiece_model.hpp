#pragma once

#include <string_view>

namespace stepgrad::nn {

// Whether SentencePiece can be given a model: it is whole, and leads it nowhere else. It does not
// ask: a file that was cut off between two pieces is a smaller vocabulary to it, one that was
// overwritten in its map of characters makes it read beyond its memory, and a piece with a 0 in it
// makes it end the process.
bool is_sound_model(std::string_view model);

}  // namespace stepgrad::nn
