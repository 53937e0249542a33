#include "core/trace/trace.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>

#include "core/check.hpp"
#include "core/tape.hpp"
#include "core/trace/recording.hpp"
#include "core/walk.hpp"

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

// Writes all of a file or nothing: beside it first, unless it is a device.
void write_file(const std::string& path, const std::string& text) {
  const bool device = std::filesystem::exists(path) && !std::filesystem::is_regular_file(path);
  const std::string target = device ? path : path + ".part";
  std::ofstream out(target, std::ios::binary);
  check<FileError>(out.is_open(), "trace: '", path, "' cannot be written");
  out << text << std::flush;
  out.close();
  std::error_code failed;
  if (out && !device) std::filesystem::rename(target, path, failed);
  if (!out || failed) {
    if (!device) std::remove(target.c_str());
    fail<FileError>("trace: '", path, "' cannot be written to its end: is the disk full?");
  }
}

std::string page(const Recording& recording) { return page_begin + to_json(recording) + page_end; }

}  // namespace

void trace(const Tensor& loss, const std::string& path, const std::function<Tensor()>& again) {
  check<TapeError>(loss.requires_grad(), "trace: ", loss.shape(),
                   " does not require a gradient, so nothing was recorded");
  std::optional<Pass> pass;
  if (!loss.node()->done && !the_tape.visiting) pass.emplace(loss);
  Recording recording = gather(loss, most_ops);
  if (again) add_differences(recording, again, most_differences);
  write_file(path, page(recording));
}

}  // namespace stepgrad
