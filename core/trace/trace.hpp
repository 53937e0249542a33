#pragma once

#include <functional>
#include <string>

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// Writes one web page to `path`: the tape behind `loss` as a picture to step through, forward and
// backward, with the numbers of every tensor and of every gradient. It loads nothing else.
//
// The page shows only what was recorded. Values are, if set_ledger(true) was called before the
// forward pass (it is on in the teaching build); else the few that gradients need. For the
// gradients this runs a backward pass from ones, and undoes it: every grad() and the tape are left
// as they were. A tape that was walked and freed shows the pass that the ledger kept, and one that
// a pass is in the midst of, in a hook or a debugger, what has run of it.
//
// `again`, if given, computes the loss once more, with the same random numbers: the page then has
// central differences for the first cells of each leaf, to check gradients with.
//
// TapeError: `loss` does not require a gradient. FileError: the page cannot be written; then `path`
// is what it was.
void trace(const Tensor& loss, const std::string& path,
           const std::function<Tensor()>& again = nullptr);

// The page itself.
std::string to_html(const Tensor& loss, const std::function<Tensor()>& again = nullptr);

// The same tape as a picture where a page does not suit, in the languages of Graphviz and Mermaid:
// ops with their shapes, source lines and the names of what goes in. TapeError as above.
std::string to_dot(const Tensor& loss);
std::string to_mermaid(const Tensor& loss);

}  // namespace stepgrad

// For debuggers, which have no std::function to give and no handle of what an op has made:
// trace() of the output of `node`. Returns what went wrong, or an empty string.
extern "C" const char* stepgrad_trace(stepgrad::Node& node, const char* path) noexcept;
