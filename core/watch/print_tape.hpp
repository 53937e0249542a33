#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "core/tape/node.hpp"

namespace stepgrad {

// A table of the ops that `output` was computed from, in the order of recording: inputs by name and
// shape, the output's shape, and the lines of the call. "ok" in front: its gradient has run. "=>":
// a backward pass is visiting it.
std::string tape(const Tensor& output, Loc loc = Loc::here());

// The cells of that table; the first row has the headings.
std::vector<std::vector<std::string>> tape_rows(const Tensor& output, Loc loc = Loc::here());

// 'w1' [512, 2048], or #3 [4, 10, 2048] for the output of op 3.
std::ostream& operator<<(std::ostream& out, const Input& input);

std::string called_at(Loc loc, Loc caller);  // ffn.cpp:38, from main.cpp:12
std::string called_at(const Node& node);     // as above, or mul.cpp:13, in mul #5's gradient

// A table with one line for each row; columns are two spaces apart, empty ones left out.
std::string in_columns(const std::vector<std::vector<std::string>>& rows);

}
