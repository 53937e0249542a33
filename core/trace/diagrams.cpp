#include "core/check.hpp"
#include "core/text_stream.hpp"
#include "core/trace/recording.hpp"
#include "core/trace/trace.hpp"
#include "core/watch/print_tape.hpp"

namespace stepgrad {
namespace {

Recording recording_of(const char* what, const Tensor& loss) {
  check<TapeError>(loss.requires_grad(), what, ": ", loss.shape(),
                   " does not require a gradient, so nothing was recorded");
  return recording_of(loss, std::numeric_limits<size_t>::max());
}

std::string shape_text(const Shape& shape) {
  TextStream text;
  text << shape;
  return text.str();
}

// A leaf's or a constant's label.
std::string leaf_text(const Recording::Value& value) {
  return (value.name.empty() ? value.role : value.name) + '\n' + shape_text(value.shape);
}

std::string op_text(const Recording::Op& op) {
  const Node& node = *op.node;
  std::string text = '#' + std::to_string(node.number) + ' ' + node.op();
  if (*node.name) text += std::string(" → ") + node.name;
  return text + '\n' + shape_text(node.shape) + '\n' + called_at(node);
}

// Graphviz: "...", with quotes and backslashes escaped.
std::string dot_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n')
      result += "\\n";
    else
      result += c;
  }
  return result + '"';
}

}  // namespace

std::string to_dot(const Tensor& loss) {
  const Recording tape = recording_of("to_dot", loss);
  TextStream out;
  out << "digraph tape {\n  node [shape=box fontname=\"sans-serif\"]\n";
  for (size_t i = 0; i < tape.values.size(); ++i) {
    const Recording::Value& value = tape.values[i];
    out << "  v" << i
        << " [label=" << dot_text(value.op < 0 ? leaf_text(value) : op_text(tape.ops[value.op]))
        << (value.op >= 0      ? ""
            : value.wants_grad ? " style=rounded"
                               : " style=\"rounded,dashed\"")
        << "]\n";
  }
  for (const Recording::Op& op : tape.ops)
    for (const int input : op.inputs) out << "  v" << input << " -> v" << op.output << '\n';
  out << "}\n";
  return out.str();
}

}  // namespace stepgrad
