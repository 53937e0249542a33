#include "core/trace/trace.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/check.hpp"
#include "core/ledger.hpp"
#include "ops/ops.hpp"
#include "tests/support/catch.hpp"

using namespace stepgrad;

namespace {

std::string contents(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// A folder of its own, gone at the end.
struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() /
                               ("stepgrad_trace_" + std::to_string(sizeof(Scalar)) + "_" +
                                std::to_string(reinterpret_cast<uintptr_t>(this)));
  Folder() { std::filesystem::create_directory(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file() const { return (path / "page.html").string(); }
};

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("A trace writes a page and leaves the tape and every gradient as they were") {
  const Folder folder;
  const Tensor x = Tensor::of({1, 2}).requires_grad_().set_name("x");
  const Tensor w = Tensor::of({3, 4}).requires_grad_();
  w.set_grad(Tensor::of({10, 10}));
  const Tensor loss = sum(x * w);
  trace(loss, folder.file());
  CHECK_FALSE(x.grad().defined());
  CHECK(w.grad().to_vector() == std::vector<Scalar>{10, 10});
  loss.backward();
  CHECK(x.grad().to_vector() == std::vector<Scalar>{3, 4});
  CHECK(w.grad().to_vector() == std::vector<Scalar>{11, 12});
  const std::string page = contents(folder.file());
  CHECK(count(page, "\"op\":\"mul\"") == 1);
  CHECK(count(page, "\"backward\":[]") == 0);
}

TEST_CASE("A tape that was walked and freed is traced from its ledger") {
  const Folder folder;
  const Tensor x = Tensor::of({1, 2}).requires_grad_();
  const bool kept = ledger_switch.kept.exchange(true);
  const Tensor loss = sum(x * x);
  loss.backward();
  trace(loss, folder.file());
  set_ledger(kept);
  CHECK(count(contents(folder.file()), "\"backward\":[]") == 0);
  CHECK(x.grad().to_vector() == std::vector<Scalar>{2, 4});
}

TEST_CASE("A trace refuses what has no tape, in one sentence") {
  CHECK_THROWS_AS(trace(Tensor::ones({1}), "page.html"), TapeError);
  CHECK_THROWS_AS(to_dot(Tensor::ones({1})), TapeError);
  CHECK_THROWS_AS(to_mermaid(Tensor::ones({1})), TapeError);
  CHECK_FALSE(std::filesystem::exists("page.html"));
}

TEST_CASE("A page that cannot be written leaves nothing behind") {
  const Folder folder;
  const Tensor x = Tensor::of({1, 2}).requires_grad_();
  const Tensor loss = sum(x * x);
  CHECK_THROWS_AS(trace(loss, (folder.path / "missing" / "page.html").string()), FileError);
  CHECK_THROWS_AS(trace(loss, folder.path.string()), FileError);
  CHECK(std::filesystem::is_empty(folder.path));
  if (std::filesystem::exists("/dev/full")) CHECK_THROWS_AS(trace(loss, "/dev/full"), FileError);
  CHECK_FALSE(x.grad().defined());
  loss.backward();
  CHECK(x.grad().to_vector() == std::vector<Scalar>{2, 4});
}

TEST_CASE("Names are data in a page and in both diagrams") {
  const Folder folder;
  const std::string name = "</script>\"\n\\" + std::string(10'000, 'n');
  const Tensor x = Tensor::of({1, 2}).requires_grad_().set_name(name);
  const Tensor loss = sum(x * x);
  trace(loss, folder.file());
  CHECK(count(contents(folder.file()), "</script>") == 2);  // the page's own
  CHECK(count(to_dot(loss), "\\\"") == 1);
  CHECK(count(to_mermaid(loss), "</script>") == 0);
  CHECK(count(to_mermaid(loss), "#34;") == 1);
}

TEST_CASE("Diagrams have a box for each op and leaf, and an arrow for each input") {
  const Tensor x = Tensor::of({{1, 2}}).requires_grad_().set_name("x");
  const Tensor w = Tensor::from({3, 4}, {2, 1}).requires_grad_().set_name("w");
  const Tensor loss = sum(matmul(x, w));
  const std::string dot = to_dot(loss), mermaid = to_mermaid(loss);
  CHECK(count(dot, "[label=") == 4);
  CHECK(count(dot, " -> ") == 3);
  CHECK(count(mermaid, " --> ") == 3);
  CHECK(dot.find("matmul\\n[1, 1]\\ntrace_test.cpp:") != std::string::npos);
}

TEST_CASE("A tape too long for a page is written in part, and says so") {
  const Folder folder;
  Tensor y = Tensor::ones({1}).requires_grad_();
  for (int i = 0; i < 2500; ++i) y = y + 1;
  trace(y, folder.file());
  CHECK(contents(folder.file()).find("\"leftOut\":500,") != std::string::npos);
  CHECK(std::filesystem::file_size(folder.file()) < 4'000'000);
}
