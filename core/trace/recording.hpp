#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/trace/trace.hpp"
#include "core/watch/ledger.hpp"

namespace stepgrad {

// What trace() shows of a tape, gathered from nodes and ledgers. Places are indices.
struct Recording {
  struct Value {  // an op's output or input
    std::string name;
    const char* role;  // leaf, constant, op
    Shape shape;
    Tensor value;  // undefined: not kept
    Tensor grad;   // of a leaf: before the pass
    int op = -1;   // whose output it is; -1: none
    bool wants_grad = false;
    bool changed = false;  // in place after an op used it: no value then
    Reading read{};        // read_before() the loss
  };
  struct Op {
    const Node* node;
    std::vector<int> inputs;
    int output;
    std::vector<std::string> cells{};  // cells_of(*node)
    int64_t saved_bytes = 0;           // saved first by this op, without leaves and constants
    int64_t flops = 0;
  };
  struct Add {  // earlier + part = total
    int input;  // which of the op's inputs
    int value;
    Shape before;  // before un-broadcasting
    Tensor part, total;
    size_t nth = 1, of = 1;  // contribution 2 of 3; 0: unknown
  };
  struct Step {  // of the backward pass
    int op;      // or -1: a leaf's grad += dY
    int value;   // the op's output, or the leaf
    Tensor dY;
    bool hooked;  // a hook changed dY
    std::vector<Add> adds;
  };
  std::vector<Value> values;
  std::vector<Op> ops;        // in tape order
  std::vector<Step> steps;    // in the order of the pass
  int64_t left_out = 0;       // the number of oldest ops left out
  const char* pass = "none";  // or whole, under way, freed: it ran without a ledger
  bool from_here = true;      // the pass began at this loss, not at one of its consumers
  std::string refused{};      // what the last op said, which has no output
};

// Whether the tensor is still saved, with the values that it had then.
bool unchanged(const Saved& saved);

// The newest `max_ops` ops behind `loss`. Their ledgers hold a backward pass or none.
Recording recording_of(const Tensor& loss, size_t max_ops);

// {"format": "stepgrad-tape-1", ...}: safe inside <script>, whatever names are in it.
// All numbers around the cell `asked` are included. `digits`: a number's binary digits.
std::string to_json(const Recording& recording, const Cell& asked = {}, const Lesson& lesson = {});

// The page: the tour goes after `begin`, and the tape's JSON after `tape`; a live page's own words
// and scripts go after `words` and `scripts`. The engine and its numbers come last, so that the
// page shows before they load.
extern const char* const page_begin;
extern const char* const page_tape;
extern const char* const page_words;
extern const char* const page_scripts;
extern const char* const page_end;
extern const char* const live_scripts;

// A live page around this JSON, with an engine's bytes, the text it loads, and an extra script.
std::string live_page(
    const std::string& json, const std::string& engine, const std::string& replay, const std::string& script = "");

// The lessons that come with stepgrad; a null name ends the list.
struct LessonText {
  const char *name, *language, *text;
};
extern const LessonText lesson_texts[];

}
