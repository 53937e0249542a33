#include <algorithm>
#include <limits>
#include <set>
#include <sstream>

#include "core/check.hpp"
#include "core/files.hpp"
#include "core/trace/arrays.hpp"
#include "core/trace/crops.hpp"
#include "core/trace/json_text.hpp"
#include "core/trace/letters.hpp"
#include "core/trace/recording.hpp"
#include "core/trace/sums.hpp"

namespace stepgrad {
namespace {

// The lines around each call, if the file can be read here.
class Sources {
 public:
  void add(Loc loc) {
    if (loc.file) lines_[loc.file].insert(loc.line);
  }
  std::string json() const {
    std::vector<Member> files;
    for (const auto& [file, lines] : lines_) files.push_back({file, excerpt(file, lines)});
    return object(files);
  }

 private:
  // A compiler may name a file relative to its build folder (../../main.cpp): it is also looked for
  // in this folder's parents and in stepgrad's tree.
  static std::string text_of(std::string file) {
    std::string text;
    if (found(file, text) || file.starts_with('/')) return text;
    while (file.starts_with("../")) file.erase(0, 3);
    constexpr int depth = 32;  // of folders; those above the root are the root
    for (std::string folder; folder.size() < depth * 3; folder += "../")
      if (found(folder + file, text)) return text;
    found(STEPGRAD_TREE "/" + file, text);
    return text;
  }

  static bool found(const std::string& path, std::string& text) try {
    text = read_file(path);
    return true;
  } catch (const FileError&) {
    return false;
  }

  static std::string excerpt(const std::string& file, const std::set<int>& wanted) {
    std::istringstream in(text_of(file));
    in.exceptions(std::ios::badbit);  // if memory runs out, the file must not just end
    std::string line, text;
    for (int number = 1; std::getline(in, line); ++number) {
      const auto next = wanted.lower_bound(number - 6);
      if (next == wanted.end() || *next > number + 6) continue;
      if (line.ends_with('\r')) line.pop_back();
      text += (text.empty() ? "[" : ",[") + std::to_string(number) + ',' +
          json_string(std::string_view(line).substr(0, 200)) + ']';
    }
    return '[' + text + ']';
  }
  std::map<std::string, std::set<int>> lines_;
};

std::string line(Loc loc) {
  return loc.file ? '[' + json_string(loc.file) + ',' + std::to_string(loc.line) + ']' : "null";
}

// Arrays are numbered in the order of add(): members of an object are computed in their order.
std::string value_json(const Recording::Value& value, Arrays& arrays) {
  const Reading& read = value.read;
  return object({
      {"name", json_string(value.name)},
      {"role", json_string(value.role)},
      {"shape", integers(value.shape)},
      {"value", arrays.add(value.value)},
      {"grad", arrays.add(value.grad)},
      {"op", value.op},
      {"wants", value.wants_grad ? "true" : "false"},
      {"changed", only_if(value.changed)},
      {"read", read.how ? '[' + json_string(read.how) + ',' + line(read.loc) + (read.earlier ? ",true]" : "]") : ""},
  });
}

std::string saved_json(const Node& node, Arrays& arrays) {
  std::vector<Member> saved;
  for (const Saved* each = node.saved; each; each = each->next)
    if (unchanged(*each) && each->letter != std::string_view(node.formula.traits.packed))
      saved.push_back({each->letter, arrays.add(*each)});
  return object(saved);
}

std::string op_json(const Recording::Op& op, Arrays& arrays, Sources& sources) {
  const Node& node = *op.node;
  const Formula &formula = node.formula, *within = node.gradient_of.formula;
  const Traits& traits = formula.traits;
  sources.add(node.loc);
  sources.add(node.caller);
  const Ledger none, &ledger = node.ledger ? *node.ledger : none;
  return object({
      {"op", json_string(node.op())},
      {"number", node.number},
      {"in", integers(op.inputs)},
      {"letters", list(letters_of(node), json_string)},
      {"out", op.output},
      {"loc", line(node.loc)},
      {"caller", line(node.caller)},
      {"forward", json_string(formula.forward)},
      {"gradient", json_string(formula.gradient)},
      {"pieces", only_if(*traits.pieces, json_string(traits.pieces))},
      {"sums", only_if(is_sum(formula), list(op.cells, json_string))},
      {"rounds", only_if(traits.rounds)},
      {"cuts", only_if(traits.cuts)},
      {"each", only_if(formula.recompute.of_each_element)},
      {"own", only_if(!formula.recompute)},
      {"attributes", object(node.attributes(), [](const auto& values) { return list(values, number); })},
      {"saved", saved_json(node, arrays)},
      {"savedBytes", op.saved_bytes},
      {"savedAgain", ledger.saved_again},
      {"flops", op.flops},
      {"seconds", list(std::vector<double>{ledger.forward_seconds, ledger.backward_seconds}, number)},
      {"within", within ? json_string(std::string(within->op) + " #" + std::to_string(node.gradient_of.number)) : ""},
  });
}

std::string step_json(const Recording::Step& step, Arrays& arrays) {
  const auto add = [&](const Recording::Add& add) {
    return object({
        {"input", add.input},
        {"value", add.value},
        {"before", integers(add.before)},
        {"part", arrays.add(add.part)},
        {"total", arrays.add(add.total)},
        {"nth", add.nth},
        {"of", add.of},
    });
  };
  return object({
      {"op", step.op},
      {"value", step.value},
      {"dY", arrays.add(step.dY)},
      {"hooked", only_if(step.hooked)},
      {"adds", list(step.adds, add)},
  });
}

std::string rows_json(const Recording& recording, const Lesson& lesson) {
  for (const auto& [name, words] : lesson.rows) {
    const auto has = [&, &name = name, &words = words](const Recording::Value& value) {
      return value.name == name && value.shape.dims() > 1 && value.shape[-2] == int64_t(words.size());
    };
    check<ValueError>(std::any_of(recording.values.begin(), recording.values.end(), has), "trace: no tensor '", name,
        "' has ", words.size(), " rows: set_name() gives a tensor its name");
  }
  return object(lesson.rows, [](const auto& words) { return list(words, json_string); });
}

}

std::string to_json(const Recording& recording, const Cell& asked, const Lesson& lesson) {
  const Crops crops(recording, asked);
  Arrays arrays(&crops);
  Sources sources;
  const auto value = [&](const Recording::Value& value) { return value_json(value, arrays); };
  const auto op = [&](const Recording::Op& op) { return op_json(op, arrays, sources); };
  const auto step = [&](const Recording::Step& step) { return step_json(step, arrays); };
  const std::vector<int64_t> ask{crops.asked_value, crops.asked_cell};
  return object({
      {"format", "\"stepgrad-tape-1\""},
      {"leftOut", recording.left_out},
      {"digits", std::numeric_limits<Scalar>::digits},
      {"pass", json_string(recording.pass)},
      {"ask", only_if(crops.asked_value >= 0, integers(ask))},
      {"fromHere", only_if(recording.from_here)},
      {"refused", only_if(!recording.refused.empty(), json_string(recording.refused))},
      {"values", list(recording.values, value)},
      {"lesson", only_if(!lesson.texts.empty(), object(lesson.texts, json_string))},
      {"rows", only_if(!lesson.rows.empty(), rows_json(recording, lesson))},
      {"ops", list(recording.ops, op)},
      {"backward", list(recording.steps, step)},
      {"source", sources.json()},
      {"arrays", arrays.json()},
  });
}

std::string numbers_json(const Recording& recording, Arrays& arrays) {
  const auto value = [&](const Recording::Value& value) {
    return object({
        {"value", arrays.add(value.value)},
        {"grad", arrays.add(value.grad)},
    });
  };
  const auto op = [&](const Recording::Op& op) {
    return object({
        {"saved", saved_json(*op.node, arrays)},
    });
  };
  const auto step = [&](const Recording::Step& step) { return step_json(step, arrays); };
  return object({
      {"values", list(recording.values, value)},
      {"ops", list(recording.ops, op)},
      {"backward", list(recording.steps, step)},
      {"arrays", arrays.json()},
  });
}

}
