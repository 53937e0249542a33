#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/trace/trace.hpp"
#include "core/watch/ledger.hpp"

namespace stepgrad {

// What trace() shows of a tape, gathered from nodes and their ledgers. Places are indices.
struct Recording {
  struct Value {  // what an op made, or took
    std::string name;
    const char* role;  // leaf, constant, op
    Shape shape;
    Tensor value;  // undefined: not kept
    Tensor grad;   // of a leaf: what it was before the pass
    int op = -1;   // that made it
    bool wants_grad = false;
    bool changed = false;               // in place, since an op used it: then there is no value
    std::vector<double> differences{};  // of a leaf's first cells, if `recompute` was given
  };
  struct Op {
    const Node* node;
    std::vector<int> inputs;
    int output;
    int64_t saved_bytes = 0;  // what it is the first to save: leaves and constants not counted
    int64_t flops = 0;
  };
  struct Add {  // earlier + part = total
    int input;  // which of the op's inputs
    int value;
    Shape before;  // before un-broadcasting
    Tensor part, total;
    size_t nth = 1, of = 1;  // this is the 2nd of 3 parts; 0: how many there are is not known
  };
  struct Step {  // of the backward pass
    int op;      // or -1: a leaf's grad += dY
    int value;   // the op's output, or the leaf
    Tensor dY;
    bool hooked;  // a hook made other numbers of the parts' sum
    std::vector<Add> adds;
  };
  std::vector<Value> values;
  std::vector<Op> ops;        // in tape order
  std::vector<Step> steps;    // in the order of the pass
  int64_t left_out = 0;       // ops too many, the oldest
  const char* pass = "none";  // or whole, under way, freed: it ran without a ledger
  bool from_here = true;      // the pass began at this loss, not at what was made of it
};

// Whether the tensor is still kept, with the numbers that it had when the op saved it.
bool unchanged(const Saved& saved);

// Of the newest `most` ops behind `loss`, whose ledgers hold a backward pass or none.
Recording recording_of(const Tensor& loss, size_t most);

// Central differences of `recompute`'s loss for up to `most` cells of all leaves together.
void add_differences(Recording& recording, const std::function<Tensor()>& recompute, int64_t most);

// {"format": "stepgrad-tape-1", ...}: safe inside <script>, whatever names are in it.
// The numbers around the cell `asked` are all there. `digits` are the binary ones of a number.
std::string to_json(const Recording& recording, const Cell& asked = {}, const Lesson& lesson = {});

// The page: after `begin` comes the tape's JSON, after `words` and `scripts` in a live page what
// only it has. The engine and its numbers come last, so that they keep nobody waiting.
extern const char* const page_begin;
extern const char* const page_words;
extern const char* const page_scripts;
extern const char* const page_end;
extern const char* const live_scripts;

// A live page around this JSON, with these bytes of an engine, what it loads, and a script of
// one's own.
std::string live_page(const std::string& json, const std::string& engine, const std::string& replay,
                      const std::string& script = "");

// The lessons that come with stepgrad, with a null name behind the last.
struct LessonText {
  const char *name, *language, *text;
};
extern const LessonText lesson_texts[];

}  // namespace stepgrad
