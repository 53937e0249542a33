#include "core/trace/trace.hpp"

#include <cmath>
#include <cstdlib>
#include <deque>
#include <optional>
#include <sstream>

#include "core/check.hpp"
#include "core/files.hpp"
#include "core/tape/record.hpp"
#include "core/trace/base64.hpp"
#include "core/trace/recording.hpp"
#include "core/trace/replay.hpp"
#include "core/utf8.hpp"
#include "core/watch/going_back.hpp"
#include "core/watch/refusal.hpp"

namespace stepgrad {
namespace {

constexpr size_t most_ops = 2000;  // on a page

// A backward pass, undone when this is destroyed.
class UndonePass {
 public:
  explicit UndonePass(const Tensor& loss)
      : pass_(loss, loss.numel() == 1 ? Tensor() : Tensor::ones(loss.shape()), true) {}
  ~UndonePass() { take_back(pass_); }
  void run() {
    while (Node* node = pass_.next()) stepgrad_backward_step(*node, pass_.gradient());
  }

 private:
  KeepLedger keep_ledger_;
  Pass pass_;
};

// use(recording), before the pass is undone.
template <class Use>
auto with_recording(const Tensor& loss, Use use) {
  check<TapeError>(loss.check_defined("trace").requires_grad(), "trace: ", loss.shape(),
      " does not require a gradient, so nothing was recorded");
  check<TapeError>(!loss.is_leaf(), "trace: ", loss.shape(), " is a leaf, which no op has made");
  std::optional<UndonePass> pass;
  if (!loss.node()->done && !the_tape.visiting) pass.emplace(loss).run();
  return use(recording_of(loss, most_ops));
}

std::string engine(Live live) {
  const char* wanted = std::getenv("STEPGRAD_ENGINE");
  const std::string path = wanted && *wanted ? wanted : live.engine ? live.engine : STEPGRAD_ENGINE;
  try {
    return read_file(path);
  } catch (const FileError&) {
    fail<FileError>("there is no engine in WebAssembly",
        wanted && *wanted ? " where STEPGRAD_ENGINE says" : ": build the target 'engine', which needs emscripten");
  }
}

// The lesson of pages that have none.
std::string tour() {
  std::string scripts;
  for (const auto& [language, text] : lesson("tour").texts)
    scripts += "<script type=\"text/markdown\" id=\"lesson-" + language + "\">" + text + "</script>\n";
  return scripts;
}

std::string recorded_page(const std::string& json) {
  return page_begin + tour() + page_tape + json + page_words + page_scripts + page_end;
}

// An op that has refused its operands, so that it has no output.
struct Refused final : Node {
  Refused(const Formula& of, size_t n) : Node(of) {
    while (xs.size() < n) xs.emplace_back(this);
  }
  void backward(Tensor) override {}
  std::deque<Input> xs;
};

}

// The page's own policy, and the one for WebAssembly.
std::string live_page(
    const std::string& json, const std::string& engine, const std::string& replay, const std::string& script) {
  static const std::string policy = "script-src 'unsafe-inline'";
  std::string begin = page_begin;
  begin.insert(begin.find(policy) + policy.size(), " 'wasm-unsafe-eval'");
  return begin + tour() + page_tape + json + page_words + live_scripts + script + page_scripts +
      "<script type=\"text/plain\" id=\"replay\">" + replay + "</script>\n" +
      "<script type=\"application/wasm+gzip\" id=\"engine\">" + base64(engine) + "</script>\n" + page_end;
}

std::string to_html(const Tensor& loss, const Cell& cell, const Lesson& lesson, Loc loc) {
  const OpCall call(Arg(loss, loc));
  return with_recording(
      loss, [&](const Recording& recording) { return recorded_page(to_json(recording, cell, lesson)); });
}

// The text that a live page computes from, if it gives the recorded loss.
static std::string text_of(const Recording& recording) {
  const std::string text = to_text(recording);
  const Tensor &y = recording.values[recording.ops.back().output].value, &dY = recording.steps[0].dY;
  double loss = 0;
  for (int64_t i = 0; i < y.numel(); ++i) loss += double{y.data()[i]} * double{dY.data()[i]};
  const double computed = Replay(text).loss();  // the same kernels: bitwise equal
  check<TapeError>(computed == loss || (std::isnan(computed) && std::isnan(loss)), "the recomputed tape gives ",
      computed, ", where ", loss, " was recorded: something was changed since");
  return text;
}

Page to_html(const Tensor& loss, Live live, const Cell& cell, const Lesson& lesson, Loc loc) {
  const OpCall call(Arg(loss, loc));
  return with_recording(loss, [&](const Recording& recording) {
    const std::string json = to_json(recording, cell, lesson);
    const Scoped<Loc> on_the_page(call_lines.op, {});  // which names no line of the program
    try {
      const std::string replay = text_of(recording);
      return Page{live_page(json, engine(live), replay), ""};
    } catch (const Error& why) {
      const std::string said = ",\n\"notLive\":" + json_string(why.what()) + '}';
      return Page{recorded_page(json.substr(0, json.size() - 1) + said), why.what()};
    }
  });
}

std::string refusal_to_html(Loc loc) {
  const Refusal why = last_refusal();
  check_at<TapeError>(
      loc, !why.operands.empty(), "trace_refusal: no op's refusal is the latest error since set_ledger(true)");
  const std::string op = why.said.substr(0, why.said.find(':'));
  const Formula* known = formula_named(op);
  const Formula formula(op.c_str(), known ? known->forward : "", known ? known->gradient : "");
  std::vector<const Tensor*> operands;
  for (const Tensor& x : why.operands) operands.push_back(&x);
  const Unshown ours;
  const Ref<Node> node(new Refused(formula, operands.size()));
  connect(*node, operands, why.loc);
  const Tensor y = Tensor::empty({});
  y.set_node(node);
  Recording recording = recording_of(y, most_ops);
  recording.values[recording.ops.back().output].value = {};
  recording.refused = why.said;
  return recorded_page(to_json(recording));
}

void trace_refusal(const std::string& path, Loc loc) {
  const std::string html = refusal_to_html(loc);
  const OpCall call(loc);
  write_file(path, html);
}

void trace(const Tensor& loss, const std::string& path, const Cell& cell, const Lesson& lesson, Loc loc) {
  const OpCall call(Arg(loss, loc));
  write_file(path, to_html(loss, cell, lesson, Loc{}));
}
void trace(const Tensor& loss, const std::string& path, const Lesson& lesson, Loc loc) {
  const OpCall call(Arg(loss, loc));
  trace(loss, path, {}, lesson, Loc{});
}

std::string trace(
    const Tensor& loss, const std::string& path, Live live, const Cell& cell, const Lesson& lesson, Loc loc) {
  const OpCall call(Arg(loss, loc));
  const Page page = to_html(loss, live, cell, lesson, Loc{});
  write_file(path, page.html);
  return page.not_live;
}

// Where the words of a lesson's line begin and end, behind its mark and before a heading's link.
// What is the same in each language has none.
static std::pair<size_t, size_t> words_in(std::string_view line) {
  if (line.starts_with("= ") || line.starts_with("! ")) return {0, 0};
  if (line.starts_with("## [")) return {4, line.find("](")};
  size_t begin = line.starts_with("- [") ? 6 : 0;
  for (const std::string_view mark : {"# ", "## ", "? ", "> ", "rows: "})
    if (line.starts_with(mark)) begin = mark.size();
  const std::string_view words = line.substr(begin);
  const bool number = words.find_first_not_of("−+.0123456789∞") == words.npos || words == "NaN";
  return {begin, number ? begin : line.size()};
}

// A translation has a line for each line of the English text that has words: these words alone.
static std::string translated(const std::string& english, const char* translation) {
  std::istringstream lines(english), words(translation);
  lines.exceptions(std::ios::badbit), words.exceptions(std::ios::badbit);  // no memory is no end of the text
  std::string text;
  for (std::string line, own; std::getline(lines, line); text += line + '\n')
    if (const auto [begin, end] = words_in(line); begin < end && std::getline(words, own))
      line.replace(begin, end - begin, own);
  return text;
}

Lesson lesson(const std::string& name, Loc loc) {
  const OpCall call(loc);
  Lesson found;
  std::string names;
  for (const LessonText* one = lesson_texts; one->name; ++one) {
    const bool english = one->language == std::string_view("en");  // the first
    if (one->name == name) found.texts[one->language] = english ? one->text : translated(found.texts["en"], one->text);
    if (english) names += (names.empty() ? "" : ", ") + std::string(one->name);
  }
  check<ValueError>(!found.texts.empty(), "lesson: there is none called '", name, "', but ", names);
  return found;
}

}

const char* stepgrad_trace(stepgrad::Node& node, const char* path) noexcept {
  using namespace stepgrad;
  static std::string problem;
  problem.clear();
  try {
    check<TapeError>(node.ledger && node.ledger->value.defined(),
        "no ledger was kept: call set_ledger(true) before the forward pass");
    const Tensor output = node.ledger->value.off_tape().set_name(node.name);
    output.set_node(Ref<Node>(&node));
    trace(output, path, {}, {}, Loc{});
  } catch (const std::exception& error) {
    problem = error.what();
  }
  return problem.c_str();
}
