#include <algorithm>
#include <limits>
#include <set>
#include <sstream>

#include "core/check.hpp"
#include "core/files.hpp"
#include "core/memory/pool.hpp"
#include "core/trace/arrays.hpp"
#include "core/trace/crops.hpp"
#include "core/trace/json_text.hpp"
#include "core/trace/letters.hpp"
#include "core/trace/recording.hpp"
#include "core/trace/sums.hpp"
#include "core/utf8.hpp"

namespace stepgrad {
namespace {

// The lines around each call, if the file can be read here.
class Sources {
 public:
  void add(Loc loc) {
    if (loc.file) lines_[loc.file].insert(loc.line);
  }
  std::string json() const {
    std::string text;
    for (const auto& [file, lines] : lines_)
      text += (text.empty() ? "" : ",") + json_string(file) + ':' + excerpt(file, lines);
    return '{' + text + '}';
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

// One statement per array: arrays are numbered in the order of add(), and the order of operands is
// the compiler's.
std::string value_json(const Recording::Value& value, Arrays& arrays) {
  const std::string shown = arrays.add(value.value);
  const std::string grad = arrays.add(value.grad);
  std::string text = "{\"name\":" + json_string(value.name) + ",\"role\":\"" + value.role +
                     "\",\"shape\":" + sizes(value.shape) + ",\"value\":" + shown +
                     ",\"grad\":" + grad + ",\"op\":" + std::to_string(value.op) +
                     ",\"wants\":" + (value.wants_grad ? "true" : "false");
  if (value.changed) text += ",\"changed\":true";
  if (value.read.how)
    text += ",\"read\":[" + json_string(value.read.how) + ',' + line(value.read.loc) + ']';
  if (!value.differences.empty()) text += ",\"differences\":" + list(value.differences, number);
  return text + '}';
}

std::string attributes(const Node& node) {
  std::string text;
  for (const Attribute& attribute : node.attributes())
    text += (text.empty() ? "" : ",") + json_string(attribute.name) + ':' +
            list(attribute.values, number);
  return '{' + text + '}';
}

std::string saved_json(const Node& node, Arrays& arrays) {
  std::string saved;
  for (const Saved* each = node.saved; each; each = each->next)
    if (unchanged(*each) && each->letter != std::string_view(node.formula.traits.packed))
      saved += (saved.empty() ? "" : ",") + json_string(each->letter) + ':' + arrays.add(*each);
  return '{' + saved + '}';
}

// The traits that are not an ordinary op's.
std::string traits_json(const Recording::Op& op) {
  const Traits& traits = op.node->formula.traits;
  std::string text;
  const auto add = [&](bool has, const char* name, const std::string& value) {
    if (has) text += std::string(",\"") + name + "\":" + value;
  };
  add(*traits.pieces, "pieces", json_string(traits.pieces));
  add(is_sum(op.node->formula), "sums", list(op.cells, json_string));
  add(traits.rounds, "rounds", "true");
  add(traits.cuts, "cuts", "true");
  add(*traits.mask, "mask", json_string(traits.mask));
  add(op.node->formula.recompute.of_each_element, "each", "true");
  add(!op.node->formula.recompute, "own", "true");
  return text;
}

std::string op_json(const Recording::Op& op, Arrays& arrays, Sources& sources) {
  const Node& node = *op.node;
  sources.add(node.loc);
  sources.add(node.caller);
  const std::string saved = saved_json(node, arrays);
  const Ledger* ledger = node.ledger;
  const Formula* within = node.gradient_of.formula;
  return "{\"op\":" + json_string(node.op()) + ",\"number\":" + std::to_string(node.number) +
         ",\"in\":" + list(op.inputs, [](int i) { return std::to_string(i); }) +
         ",\"letters\":" + list(letters_of(node), json_string) +
         ",\"out\":" + std::to_string(op.output) + ",\"loc\":" + line(node.loc) +
         ",\"caller\":" + line(node.caller) + ",\"forward\":" + json_string(node.formula.forward) +
         ",\"gradient\":" + json_string(node.formula.gradient) + traits_json(op) +
         ",\"attributes\":" + attributes(node) + ",\"saved\":" + saved +
         ",\"savedBytes\":" + std::to_string(op.saved_bytes) +
         ",\"savedAgain\":" + std::to_string(ledger ? ledger->saved_again : 0) +
         ",\"flops\":" + std::to_string(op.flops) + ",\"seconds\":" +
         list(std::vector<double>{ledger ? ledger->forward_seconds : 0,
                                  ledger ? ledger->backward_seconds : 0},
              number) +
         (within ? ",\"within\":" + json_string(std::string(within->op) + " #" +
                                                std::to_string(node.gradient_of.number))
                 : "") +
         '}';
}

std::string step_json(const Recording::Step& step, Arrays& arrays) {
  const std::string dY = arrays.add(step.dY);
  const auto add = [&](const Recording::Add& add) {
    const std::string part = arrays.add(add.part);
    const std::string total = arrays.add(add.total);
    return "{\"input\":" + std::to_string(add.input) + ",\"value\":" + std::to_string(add.value) +
           ",\"before\":" + sizes(add.before) + ",\"part\":" + part + ",\"total\":" + total +
           ",\"nth\":" + std::to_string(add.nth) + ",\"of\":" + std::to_string(add.of) + '}';
  };
  return "{\"op\":" + std::to_string(step.op) + ",\"value\":" + std::to_string(step.value) +
         ",\"dY\":" + dY + ",\"hooked\":" + (step.hooked ? "true" : "false") +
         ",\"adds\":" + list(step.adds, add) + '}';
}

}  // namespace

static std::string rows_json(const Recording& recording, const Lesson& lesson) {
  std::string text;
  for (const auto& [name, words] : lesson.rows) {
    const auto has = [&, &name = name, &words = words](const Recording::Value& value) {
      return value.name == name && value.shape.dims() > 1 &&
             value.shape[-2] == static_cast<int64_t>(words.size());
    };
    check<ValueError>(std::any_of(recording.values.begin(), recording.values.end(), has),
                      "trace: no tensor '", name, "' has ", words.size(),
                      " rows: set_name() gives a tensor its name");
    text += (text.empty() ? "" : ",") + json_string(name) + ':' + list(words, json_string);
  }
  return text.empty() ? "" : ",\"rows\":{" + text + '}';
}

static std::string lesson_json(const Lesson& lesson) {
  if (lesson.texts.empty()) return "null";
  std::string text;
  for (const auto& [language, markdown] : lesson.texts)
    text += (text.empty() ? "" : ",") + json_string(language) + ':' + json_string(markdown);
  return '{' + text + '}';
}

std::string to_json(const Recording& recording, const Cell& asked, const Lesson& lesson) {
  const Crops crops(recording, asked);
  Arrays arrays(&crops);
  Sources sources;
  const std::string values = list(
      recording.values, [&](const Recording::Value& value) { return value_json(value, arrays); });
  const std::string ops =
      list(recording.ops, [&](const Recording::Op& op) { return op_json(op, arrays, sources); });
  const std::string steps =
      list(recording.steps, [&](const Recording::Step& step) { return step_json(step, arrays); });
  return "{\"format\":\"stepgrad-tape-1\",\"leftOut\":" + std::to_string(recording.left_out) +
         ",\"inUse\":" + std::to_string(memory_stats().in_use) +
         ",\"digits\":" + std::to_string(std::numeric_limits<Scalar>::digits) + ",\"pass\":\"" +
         recording.pass + "\",\"ask\":" +
         (crops.asked_value < 0 ? "null"
                                : '[' + std::to_string(crops.asked_value) + ',' +
                                      std::to_string(crops.asked_cell) + ']') +
         ",\"fromHere\":" + (recording.from_here ? "true" : "false") +
         (recording.ledger ? ",\"ledger\":true" : "") + ",\n\"values\":" + values +
         ",\n\"lesson\":" + lesson_json(lesson) + rows_json(recording, lesson) +
         ",\n\"ops\":" + ops + ",\n\"backward\":" + steps + ",\n\"source\":" + sources.json() +
         ",\n\"arrays\":" + arrays.json() + '}';
}

std::string numbers_json(const Recording& recording, Arrays& arrays) {
  const std::string values = list(recording.values, [&](const Recording::Value& value) {
    const std::string shown = arrays.add(value.value);
    return "{\"value\":" + shown + ",\"grad\":" + arrays.add(value.grad) + '}';
  });
  const std::string ops = list(recording.ops, [&](const Recording::Op& op) {
    return "{\"saved\":" + saved_json(*op.node, arrays) + '}';
  });
  const std::string steps =
      list(recording.steps, [&](const Recording::Step& step) { return step_json(step, arrays); });
  return "{\"values\":" + values + ",\"ops\":" + ops + ",\"backward\":" + steps +
         ",\"arrays\":" + arrays.json() + '}';
}

}  // namespace stepgrad
