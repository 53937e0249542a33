#include "core/tape.hpp"

#include <algorithm>
#include <sstream>

namespace stepgrad {

Tape the_tape;

Node::Node(const Formula& formula) : formula(formula) {
  const std::lock_guard lock(the_tape.mutex);
  if (!is_leaf()) {
    if (the_tape.ops++ == 0) the_tape.numbered = 0;
    number = ++the_tape.numbered;
  }
  ++the_tape.nodes;
  older = the_tape.newest;
  (older ? older->newer : the_tape.oldest) = this;
  the_tape.newest = this;
}

Node::~Node() {
  const std::lock_guard lock(the_tape.mutex);
  (older ? older->newer : the_tape.oldest) = newer;
  (newer ? newer->older : the_tape.newest) = older;
  --the_tape.nodes;
  the_tape.ops -= !is_leaf();
}

// Deleting a node may orphan its inputs' nodes, and so on for ten million ops: they queue up here
// and are deleted one after the other, not one inside the other.
void destroy(Node* node) {
  thread_local Node* doomed = nullptr;
  thread_local bool deleting = false;
  node->next_doomed = doomed;
  doomed = node;
  if (deleting) return;
  deleting = true;
  while (doomed) delete std::exchange(doomed, doomed->next_doomed);
  deleting = false;
}

int64_t live_nodes() {
  const std::lock_guard lock(the_tape.mutex);
  return the_tape.nodes;
}

// An input is always older than what was computed from it, so one way down the tape finds all of
// them. No recursion, no sort.
std::vector<Node*> reachable(const Tensor& output) {
  std::vector<Node*> found;
  if (!output.requires_grad()) return found;
  const std::lock_guard lock(the_tape.mutex);
  found.reserve(the_tape.nodes);  // nothing throws from here on
  int64_t to_come = 1;
  output.node()->reached = true;
  for (Node* node = output.node(); to_come > 0; node = node->older) {
    if (!node->reached) continue;
    node->reached = false;
    found.push_back(node);
    --to_come;
    for (Input* in = node->inputs; in; in = in->next) {
      if (!*in || in->node->reached) continue;
      in->node->reached = true;
      ++to_come;
    }
  }
  return found;
}

namespace {

// 'w1' [512, 2048], or #3 [4, 10, 2048] for what op 3 made.
std::string operand(const Input& input) {
  std::ostringstream text;
  const char* name = input.node ? input.node->name : input.name;
  if (*name)
    text << '\'' << name << "' ";
  else if (input.node && !input.node->is_leaf())
    text << '#' << input.node->number << ' ';
  text << input.shape;
  return text.str();
}

std::vector<std::string> row(const Node& node) {
  std::ostringstream inputs, output, loc;
  for (const Input* in = node.inputs; in; in = in->next) {
    inputs << (in == node.inputs ? "" : ", ") << operand(*in);
  }
  output << node.shape;
  if (*node.name) output << " '" << node.name << '\'';
  loc << node.loc;
  if (node.caller.file) loc << ", from " << node.caller;
  return {'#' + std::to_string(node.number), node.op(), inputs.str(), output.str(), loc.str()};
}

// The ops behind `output`, oldest first, with the constants that they drew.
std::vector<const Node*> recorded(const Tensor& output) {
  std::vector<const Node*> ops;
  for (const Node* node : reachable(output)) {
    if (!node->is_leaf()) ops.push_back(node);
    for (const Input* in = node->inputs; in; in = in->next) {
      if (in->node && !in->node->wants_grad) ops.push_back(in->node.get());
    }
  }
  std::sort(ops.begin(), ops.end(), [](auto* a, auto* b) { return a->number < b->number; });
  ops.erase(std::unique(ops.begin(), ops.end()), ops.end());
  return ops;
}

}  // namespace

std::string tape(const Tensor& output) {
  std::vector<std::vector<std::string>> rows{{"", "op", "inputs", "output", "called at"}};
  for (const Node* node : recorded(output)) rows.push_back(row(*node));
  std::vector<size_t> width(rows[0].size());
  for (const auto& cells : rows) {
    for (size_t i = 0; i < cells.size(); ++i) width[i] = std::max(width[i], cells[i].size());
  }
  std::string text;
  for (const auto& cells : rows) {
    for (size_t i = 0; i + 1 < cells.size(); ++i) {
      text += cells[i] + std::string(width[i] - cells[i].size() + 2, ' ');
    }
    text += cells.back() + '\n';
  }
  return text;
}

}  // namespace stepgrad
