#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// An element that the page asks about first: {"w1", {2, 3}}.
struct Cell {
  std::string name;
  std::vector<int64_t> index;
};

// A text in Markdown beside the page that leads through it: see core/trace/lessons/README.md.
struct Lesson {
  Lesson() = default;
  explicit Lesson(std::string text) : texts{{"", std::move(text)}} {}
  std::map<std::string, std::string> texts;              // by language: en, ko, zh; "": whichever is chosen
  std::map<std::string, std::vector<std::string>> rows;  // by a tensor's name: a word for each row
};
// A lesson of stepgrad's own, from core/trace/lessons/. ValueError: another name.
Lesson lesson(const std::string& name, Loc loc = Loc::here());

// Writes one web page to `path`: the tape behind `loss` to step through, forward and backward, with
// the values and gradients of all tensors. It loads no other file.
//
// The page shows only what was recorded: all values if set_ledger(true) was called before the
// forward pass (it is on in the teaching build), else those that gradients need. For the gradients
// this runs a backward pass from ones, and undoes it. A freed tape shows the pass that the ledger
// kept; during a pass, in a hook or a debugger, the page shows the part that has run.
//
// Tensors too large for the page are pictures, with exact values around `cell` and every term of
// the sums behind them; without `cell`, around the first eight rows and columns, and the largest.
//
// TapeError: `loss` does not require a gradient. ValueError, IndexError: there is no such cell.
// FileError, with `path` unchanged: the page cannot be written.
void trace(const Tensor& loss, const std::string& path, const Cell& cell = {}, const Lesson& lesson = {},
    Loc loc = Loc::here());
void trace(const Tensor& loss, const std::string& path, const Lesson& lesson, Loc loc = Loc::here());

// The same of a forward pass that did not come to its end: the tape behind the operands of the op
// that refused them last, and that op with their shapes and the rule that they break. TapeError:
// none has since set_ledger(true), or since the last backward pass.
void trace_refusal(const std::string& path, Loc loc = Loc::here());
std::string refusal_to_html(Loc loc = Loc::here());

// The page itself.
std::string to_html(const Tensor& loss, const Cell& cell = {}, const Lesson& lesson = {}, Loc loc = Loc::here());

// A live page contains the engine in WebAssembly: its user changes a number of a leaf, a constant
// or a mask, and the tape is recomputed, forward and backward. It has 440 kB more, and all numbers
// of leaves and constants. core/trace/README.md says how the engine is built; STEPGRAD_ENGINE in
// the environment names another one.
//
// Returns why the page is not live, in a sentence that is also on the page: there is no engine, or
// the tape cannot be recomputed from its leaves. Empty: it is live.
struct Live {
  const char* engine;  // a file; nullptr: where stepgrad was built
};
#ifdef STEPGRAD_ENGINE  // set by find_package(stepgrad)
static constexpr Live live{STEPGRAD_ENGINE};
#else
static constexpr Live live{nullptr};
#endif
std::string trace(const Tensor& loss, const std::string& path, Live live, const Cell& cell = {},
    const Lesson& lesson = {}, Loc loc = Loc::here());
struct Page {
  std::string html, not_live;
};
Page to_html(const Tensor& loss, Live live, const Cell& cell = {}, const Lesson& lesson = {}, Loc loc = Loc::here());

}

// trace() of `node`'s output, for debuggers, which have no std::function and no handle. Returns
// what went wrong, or an empty string.
extern "C" const char* stepgrad_trace(stepgrad::Node& node, const char* path) noexcept;
