#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// A cell that the reader of a page is to ask about: {"w1", {2, 3}}.
struct Cell {
  std::string name;
  std::vector<int64_t> index;
};

// A text in Markdown that stands beside the page and leads through it: core/trace/lessons/README.md
// says how one is written.
struct Lesson {
  Lesson() = default;
  explicit Lesson(std::string text) : texts{{"", std::move(text)}} {}
  std::map<std::string, std::string> texts;  // by language: en, ko, zh; "": whichever is chosen
};
// One that comes with stepgrad, from core/trace/lessons/. ValueError: another name.
Lesson lesson(const std::string& name);

// Writes one web page to `path`: the tape behind `loss` as a picture to step through, forward and
// backward, with the numbers of every tensor and of every gradient. It loads nothing else.
//
// The page shows only what was recorded. Values are, if set_ledger(true) was called before the
// forward pass (it is on in the teaching build); else the few that gradients need. For the
// gradients this runs a backward pass from ones, and undoes it: every grad() and the tape are left
// as they were. A tape that ran backward and is freed shows the pass that the ledger kept, and one
// that a pass is in the midst of, in a hook or a debugger, what has run of it.
//
// `recompute`, if given, computes the loss once more, with the same random numbers: the page then
// has central differences for the first cells of each leaf, to check gradients with.
//
// Of tensors too large for a page, pictures are shown, and true numbers around `cell` with all that
// the sums there run over; without it, of the first eight rows and columns, and of the largest.
//
// TapeError: `loss` does not require a gradient. ValueError, IndexError: there is no such cell.
// FileError: the page cannot be written; then `path` is what it was.
void trace(const Tensor& loss, const std::string& path,
           const std::function<Tensor()>& recompute = nullptr, const Cell& cell = {},
           const Lesson& lesson = {});
void trace(const Tensor& loss, const std::string& path, const Cell& cell);
void trace(const Tensor& loss, const std::string& path, const Lesson& lesson);

// The page itself.
std::string to_html(const Tensor& loss, const std::function<Tensor()>& recompute = nullptr,
                    const Cell& cell = {}, const Lesson& lesson = {});

// A live page has the engine in it, in WebAssembly: its reader changes a number of a leaf, a
// constant or a mask, and the tape is computed anew, forward and backward. It takes 370 kB more,
// and all numbers of leaves and constants. `cmake --build build/release --target engine` builds the
// engine once, with emscripten, and `cmake --install` takes it along; another is taken from where
// the environment's STEPGRAD_ENGINE says.
//
// Returns why the page is not live, in a sentence which is on the page, too: there is no engine, or
// the tape cannot be computed once more from its leaves. Empty: it is.
struct Live {
  const char* engine;  // a file; nullptr: where stepgrad was built
};
#ifdef STEPGRAD_ENGINE  // as find_package(stepgrad) says to its users
static constexpr Live live{STEPGRAD_ENGINE};
#else
static constexpr Live live{nullptr};
#endif
std::string trace(const Tensor& loss, const std::string& path, Live live,
                  const std::function<Tensor()>& again = nullptr, const Cell& cell = {},
                  const Lesson& lesson = {});
struct Page {
  std::string html, not_live;
};
Page to_html(const Tensor& loss, Live live, const std::function<Tensor()>& again = nullptr,
             const Cell& cell = {}, const Lesson& lesson = {});

// The same tape as a picture where a page does not suit, in the languages of Graphviz and Mermaid:
// ops with their shapes, source lines and the names of what goes in. TapeError as above.
std::string to_dot(const Tensor& loss);
std::string to_mermaid(const Tensor& loss);

}  // namespace stepgrad

// For debuggers, which have no std::function to give and no handle of what an op has made:
// trace() of the output of `node`. Returns what went wrong, or an empty string.
extern "C" const char* stepgrad_trace(stepgrad::Node& node, const char* path) noexcept;
