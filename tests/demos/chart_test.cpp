// demos/benchmark: its chart, from made-up figures.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "demos/benchmark/chart.hpp"
#include "demos/benchmark/machine.hpp"
#include "tests/support/catch.hpp"

using namespace stepgrad::demo;

namespace {

// At 1 GFLOP/s of peak, a step of 1000 flop in a microsecond is 100 %.
Comparison at(int64_t rows, double ours, double peer) {
  const Contestant a{"stepgrad, fused", "", "", ""}, b{"a peer", "", "", "lib"},
      absent{"another", "", "", "lib"};
  Figure mine, theirs;
  mine.best = ours;
  theirs.best = peer;
  return {{1, rows, 10, 10}, 1, {1e9, 1e9}, {a, b, absent}, {mine, theirs, {}}, {}};
}

std::string content(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("a chart shows the share of the peak of all who were measured") {
  const auto folder = std::filesystem::temp_directory_path() / "stepgrad_chart_test";
  std::filesystem::create_directories(folder);
  const Sweep sweep{"A step", "M", {1, 2}, {at(1, 1e-6, 2e-6), at(2, 2.5e-6, 0)}};
  draw(sweep, folder / "it's a chart.svg");
  CHECK(content(folder / "it's a chart.csv") == "M,\"stepgrad, fused\",a peer\n1,100,50\n2,80,\n");
  if (!first_line("command -v gnuplot").empty()) {
    const std::string picture = content(folder / "it's a chart.svg");
    CHECK(picture.find("stepgrad, fused") != picture.npos);
    CHECK(picture.find("</svg>") != picture.npos);
  }
  std::filesystem::remove_all(folder);
}
