#pragma once

#include <string_view>

namespace stepgrad::nn {

// Whether a model file is whole and points to nothing outside of it. SentencePiece does not check:
// a file cut off between two pieces is a smaller vocabulary to it; one with a changed map of
// characters makes it read beyond its memory; a piece with a 0 in it ends the process.
bool is_sound_model(std::string_view model);

}
