#include "core/trace/trace.hpp"

#include <limits>
#include <optional>

#include "core/check.hpp"
#include "core/files.hpp"
#include "core/tape/tape.hpp"
#include "core/tape/walk.hpp"
#include "core/trace/recording.hpp"

namespace stepgrad {
namespace {

constexpr size_t most_ops = 2000;          // of a page
constexpr int64_t most_differences = 256;  // cells, each two forward passes

struct KeepLedger {
  bool before = ledger_switch.kept.exchange(true);
  ~KeepLedger() { set_ledger(before); }
};

// A backward pass, undone when this is destroyed.
class Pass {
 public:
  explicit Pass(const Tensor& loss)
      : walk_(loss, loss.numel() == 1 ? Tensor() : Tensor::ones(loss.shape()), true) {
    while (Node* node = walk_.next()) {
      Tensor dY = walk_.gradient();
      const auto began = std::chrono::steady_clock::now();
      stepgrad_backward_step(*node, std::move(dY));
      node->ledger->backward_seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    }
  }
  ~Pass() { walk_.back(std::numeric_limits<int>::max()); }

 private:
  KeepLedger keep_ledger_;
  Walk walk_;
};

}  // namespace

std::string to_html(const Tensor& loss, const std::function<Tensor()>& again) {
  check<TapeError>(loss.requires_grad(), "trace: ", loss.shape(),
                   " does not require a gradient, so nothing was recorded");
  std::optional<Pass> pass;
  if (!loss.node()->done && !the_tape.visiting) pass.emplace(loss);
  Recording recording = gather(loss, most_ops);
  if (again) add_differences(recording, again, most_differences);
  return page_begin + to_json(recording) + page_end;
}

void trace(const Tensor& loss, const std::string& path, const std::function<Tensor()>& again) {
  write_file(path, to_html(loss, again));
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
