#include "core/trace/trace.hpp"

#include <optional>

#include "core/check.hpp"
#include "core/files.hpp"
#include "core/trace/recording.hpp"
#include "core/watch/going_back.hpp"

namespace stepgrad {
namespace {

constexpr size_t most_ops = 2000;          // of a page
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

}  // namespace

std::string to_html(const Tensor& loss, const std::function<Tensor()>& again, const Cell& cell,
                    const Lesson& lesson) {
  check<TapeError>(loss.requires_grad(), "trace: ", loss.shape(),
                   " does not require a gradient, so nothing was recorded");
  std::optional<UndonePass> pass;
  if (!loss.node()->done && !the_tape.visiting) pass.emplace(loss).run();
  Recording recording = gather(loss, most_ops);
  if (again) add_differences(recording, again, most_differences);
  return page_begin + to_json(recording, cell, lesson) + page_end;
}

void trace(const Tensor& loss, const std::string& path, const std::function<Tensor()>& again,
           const Cell& cell, const Lesson& lesson) {
  write_file(path, to_html(loss, again, cell, lesson));
}
void trace(const Tensor& loss, const std::string& path, const Cell& cell) {
  trace(loss, path, nullptr, cell);
}
void trace(const Tensor& loss, const std::string& path, const Lesson& lesson) {
  trace(loss, path, nullptr, {}, lesson);
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
