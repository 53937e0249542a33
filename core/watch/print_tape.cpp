#include "core/watch/print_tape.hpp"

#include <algorithm>

#include "core/tape/tape.hpp"
#include "core/text_stream.hpp"
#include "core/utf8.hpp"

namespace stepgrad {
namespace {

std::vector<std::string> row(const Node& node) {
  TextStream inputs, output;
  for (const Input* in = node.inputs; in; in = in->next) {
    inputs << (in == node.inputs ? "" : ", ") << *in;
  }
  output << node.shape;
  if (*node.name) output << " '" << node.name << '\'';
  const char* mark = the_tape.is_at(node) ? "=>" : node.pass.visited ? "ok" : "";
  return {mark, '#' + std::to_string(node.number), node.op(), inputs.str(), output.str(), called_at(node)};
}

}

std::ostream& operator<<(std::ostream& out, const Input& input) {
  const char* name = input.node ? input.node->name : input.name;
  if (*name)
    out << '\'' << name << "' ";
  else if (input.node && !input.node->is_leaf())
    out << '#' << input.node->number << ' ';
  return out << input.shape;
}

std::string called_at(Loc loc, Loc caller) {
  TextStream text;
  text << loc;
  if (caller.file) text << ", from " << caller;
  return text.str();
}

std::string called_at(const Node& node) {
  std::string text = called_at(node.loc, node.caller);
  if (const Formula* op = node.gradient_of.formula)
    text += std::string(", in ") + op->op + " #" + std::to_string(node.gradient_of.number) + "'s gradient";
  return text;
}

std::string in_columns(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> width(rows[0].size());
  for (const auto& cells : rows) {
    for (size_t i = 0; i < cells.size(); ++i) width[i] = std::max(width[i], count_characters(cells[i]));
  }
  std::string text;
  for (const auto& cells : rows) {
    for (size_t i = 0; i + 1 < cells.size(); ++i) {
      if (width[i]) text += cells[i] + std::string(width[i] - count_characters(cells[i]) + 2, ' ');
    }
    text += cells.back() + '\n';
  }
  return text;
}

std::vector<std::vector<std::string>> tape_rows(const Tensor& output, Loc loc) {
  output.check_defined("tape", loc);
  std::vector<std::vector<std::string>> rows{{"", "", "op", "inputs", "output", "called at"}};
  for (const Node* node : recorded(output)) rows.push_back(row(*node));
  return rows;
}

std::string tape(const Tensor& output, Loc loc) { return in_columns(tape_rows(output, loc)); }

}
