#include "core/trace/trace.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>

#include "core/check.hpp"
#include "core/files.hpp"
#include "core/trace/base64.hpp"
#include "core/trace/recording.hpp"
#include "core/trace/replay.hpp"
#include "core/utf8.hpp"
#include "core/watch/going_back.hpp"

namespace stepgrad {
namespace {

constexpr size_t most_ops = 2000;          // on a page
constexpr int64_t most_differences = 256;  // cells, each two forward passes

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

// A tape that kept no ledger, recomputed: each op by its formula, from the leaves as they are now
// and the constants that inputs keep. Its loss is undefined if that is impossible.
class OnceMore {
 public:
  explicit OnceMore(const Tensor& loss) {
    const Node& root = *loss.node();
    const std::vector<const Node*> nodes = recorded(loss);
    const bool kept = root.ledger && root.ledger->value.defined();
    if (!Input::keeps_constants || the_tape.visiting || kept) return;
    if (nodes.empty() || nodes.size() > most_ops) return;
    try {
      run(nodes);
    } catch (const Error&) {  // an op that cannot
      return;
    }
    this->loss = made_[&root].set_name(loss.name());
    if (!root.done) return;  // else leaves have this pass's gradient already
    for (const Node* node : nodes)
      for (const Input* in = node->inputs; in; in = in->next)
        if (in->node && in->node->is_leaf())
          grads_.try_emplace(in->node.get(), std::exchange(in->node->grad, {}));
  }
  ~OnceMore() {
    for (auto& [leaf, grad] : grads_) leaf->grad = grad;
  }
  OnceMore(const OnceMore&) = delete;
  Tensor loss;

 private:
  void run(const std::vector<const Node*>& nodes) {
    const EnableGrad as_it_was_recorded;
    const KeepLedger ledger;
    for (const Node* node : nodes) {
      std::vector<Tensor> x;
      for (const Input* in = node->inputs; in; in = in->next) {
        x.push_back(taken(*in));
        check<TapeError>(x.back().defined() && x.back().shape() == in->shape, "not kept");
      }
      const Tensor y = made_[node] = node->recompute(x);
      check<TapeError>(y.defined() && y.node() && !y.node()->is_leaf(), "no formula");
      if (*node->name) y.set_name(node->name);
      Node& again = *y.node();
      again.loc = node->loc, again.caller = node->caller, again.gradient_of = node->gradient_of;
      if (node->hooks) again.hooks = std::make_unique<std::vector<Node::Hook>>(*node->hooks);
    }
    int64_t number = nodes[0]->number - 1;
    for (const Node* node : recorded(made_[nodes.back()]))
      const_cast<Node*>(node)->number = ++number;
  }

  Tensor taken(const Input& in) {
    if (!in.node) return in.constant;
    if (!in.node->is_leaf()) return made_[in.node.get()];
    return Tensor::handle_of(static_cast<AccumulateGrad&>(*in.node).tensor);
  }

  std::map<const Node*, Tensor> made_;
  std::map<Node*, Tensor> grads_;  // of leaves
};

// But for rounding: of an attention the steps are shown, and one kernel has run.
bool near(const Tensor& x, const Tensor& y) {
  for (int64_t i = 0; i < y.numel(); ++i) {
    const Scalar a = x.data()[i], b = y.data()[i];
    if (!(std::abs(a - b) <= 1e-4 * std::max(Scalar(1), std::abs(b))) && !(a == b) &&
        !(std::isnan(a) && std::isnan(b)))
      return false;
  }
  return true;
}

// use(recording), while the pass that it shows is not undone.
template <class Use>
auto with_recording(const Tensor& loss, Use use) {
  check<TapeError>(loss.requires_grad(), "trace: ", loss.shape(),
                   " does not require a gradient, so nothing was recorded");
  const OnceMore again(loss);
  const Tensor& shown = again.loss.defined() ? again.loss : loss;
  std::optional<UndonePass> pass;
  if (!shown.node()->done && !the_tape.visiting) pass.emplace(shown).run();
  Recording recording = recording_of(shown, most_ops);
  recording.again = again.loss.defined();
  recording.differs = recording.again && !near(again.loss, loss);
  return use(std::move(recording));
}

std::string engine(Live live) {
  const char* wanted = std::getenv("STEPGRAD_ENGINE");
  const std::string path = wanted && *wanted ? wanted : live.engine ? live.engine : STEPGRAD_ENGINE;
  check<FileError>(std::filesystem::exists(path), "there is no engine in WebAssembly",
                   wanted && *wanted ? " where STEPGRAD_ENGINE says"
                                     : ": build the target 'engine', which needs emscripten");
  return read_file(path);
}

std::string recorded_page(const std::string& json) {
  return page_begin + json + page_words + page_scripts + page_end;
}

}  // namespace

// The page's own policy, and the one for WebAssembly.
std::string live_page(const std::string& json, const std::string& engine, const std::string& replay,
                      const std::string& script) {
  static const std::string policy = "script-src 'unsafe-inline'";
  std::string begin = page_begin;
  begin.insert(begin.find(policy) + policy.size(), " 'wasm-unsafe-eval'; worker-src blob:");
  return begin + json + page_words + live_scripts + script + page_scripts +
         "<script type=\"text/plain\" id=\"replay\">" + replay + "</script>\n" +
         "<script type=\"application/wasm+gzip\" id=\"engine\">" + base64(engine) + "</script>\n" +
         page_end;
}

std::string to_html(const Tensor& loss, const std::function<Tensor()>& recompute, const Cell& cell,
                    const Lesson& lesson) {
  return with_recording(loss, [&](Recording recording) {
    if (recompute) add_differences(recording, recompute, most_differences);
    return recorded_page(to_json(recording, cell, lesson));
  });
}

// The text that a live page computes from, if it gives the recorded loss.
static std::string text_of(const Recording& recording) {
  const std::string text = to_text(recording);
  const Tensor &y = recording.values[recording.ops.back().output].value,
               &dY = recording.steps[0].dY;
  double loss = 0;
  for (int64_t i = 0; i < y.numel(); ++i) loss += double{y.data()[i]} * double{dY.data()[i]};
  const double computed = Replay(text).loss();  // the same kernels: bitwise equal
  check<TapeError>(computed == loss || (std::isnan(computed) && std::isnan(loss)),
                   "the recomputed tape gives ", computed, ", where ", loss,
                   " was recorded: something was changed since");
  return text;
}

Page to_html(const Tensor& loss, Live live, const std::function<Tensor()>& recompute,
             const Cell& cell, const Lesson& lesson) {
  return with_recording(loss, [&](Recording recording) {
    if (recompute) add_differences(recording, recompute, most_differences);
    const std::string json = to_json(recording, cell, lesson);
    try {
      const std::string replay = text_of(recording);
      return Page{live_page(json, engine(live), replay), ""};
    } catch (const Error& why) {
      const std::string said = ",\n\"notLive\":" + json_string(why.what()) + '}';
      return Page{recorded_page(json.substr(0, json.size() - 1) + said), why.what()};
    }
  });
}

void trace(const Tensor& loss, const std::string& path, const std::function<Tensor()>& recompute,
           const Cell& cell, const Lesson& lesson) {
  write_file(path, to_html(loss, recompute, cell, lesson));
}
void trace(const Tensor& loss, const std::string& path, const Cell& cell) {
  trace(loss, path, nullptr, cell);
}
void trace(const Tensor& loss, const std::string& path, const Lesson& lesson) {
  trace(loss, path, nullptr, {}, lesson);
}

std::string trace(const Tensor& loss, const std::string& path, Live live,
                  const std::function<Tensor()>& recompute, const Cell& cell,
                  const Lesson& lesson) {
  const Page page = to_html(loss, live, recompute, cell, lesson);
  write_file(path, page.html);
  return page.not_live;
}

Lesson lesson(const std::string& name) {
  Lesson found;
  std::string names;
  for (const LessonText* one = lesson_texts; one->name; ++one) {
    if (one->name == name) found.texts[one->language] = one->text;
    if (one->language == std::string_view("en"))
      names += (names.empty() ? "" : ", ") + std::string(one->name);
  }
  check<ValueError>(!found.texts.empty(), "lesson: there is none called '", name, "', but ", names);
  return found;
}

}  // namespace stepgrad

const char* stepgrad_trace(stepgrad::Node& node, const char* path) noexcept {
  using namespace stepgrad;
  static std::string problem;
  problem.clear();
  try {
    check<TapeError>(node.ledger && node.ledger->value.defined(),
                     "no ledger was kept: call set_ledger(true) before the forward pass");
    const Tensor output = node.ledger->value.detach().set_name(node.name);
    output.set_node(Ref<Node>(&node));
    trace(output, path);
  } catch (const std::exception& error) {
    problem = error.what();
  }
  return problem.c_str();
}
