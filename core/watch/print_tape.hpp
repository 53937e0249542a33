#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "core/tape/node.hpp"

namespace stepgrad {

// A table of what `output` was computed from, in the order of recording: one line an op, with its
// inputs by name and shape, its output's shape, and the lines it was called at. In front stands
// ok if its gradient has run, and => if a backward pass is there now.
std::string tape(const Tensor& output);

// The same, cell by cell; its first row are the headings.
std::vector<std::vector<std::string>> tape_rows(const Tensor& output);

// 'w1' [512, 2048], or #3 [4, 10, 2048] for what op 3 made.
std::ostream& operator<<(std::ostream& out, const Input& input);

std::string called_at(Loc loc, Loc caller);  // ffn.cpp:38, from main.cpp:12
std::string called_at(const Node& node);     // the same, or mul.cpp:13, in mul #5's gradient

// A table: one line a row, columns two spaces apart and left out if they are empty.
std::string in_columns(const std::vector<std::vector<std::string>>& rows);

}  // namespace stepgrad
