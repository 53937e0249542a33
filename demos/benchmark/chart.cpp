#include "demos/benchmark/chart.hpp"

#include <algorithm>

#include "core/text_stream.hpp"
#include "demos/parts/picture.hpp"

namespace stepgrad::demo {
namespace {

// The contestants with at least one figure.
std::vector<size_t> present(const Sweep& sweep) {
  if (sweep.comparisons.empty()) return {};
  std::vector<size_t> columns;
  for (size_t i = 0; i < sweep.comparisons[0].who.size(); ++i) {
    const auto is_there = [i](const Comparison& c) { return c.figures[i].best != 0; };
    if (std::any_of(sweep.comparisons.begin(), sweep.comparisons.end(), is_there))
      columns.push_back(i);
  }
  return columns;
}

// A table: size, then the percentage of each present contestant; empty where there is none.
std::string table(const Sweep& sweep) {
  TextStream text;
  text << csv_field(sweep.axis);
  for (size_t i : present(sweep)) text << ',' << csv_field(sweep.comparisons[0].who[i].name);
  text << '\n';
  for (size_t row = 0; row < sweep.sizes.size(); ++row) {
    text << sweep.sizes[row];
    for (size_t i : present(sweep)) {
      text << ',';
      if (const double percent = sweep.comparisons[row].percent(i)) text << percent;
    }
    text << '\n';
  }
  return text.str();
}

}  // namespace

void draw(const Sweep& sweep, const std::filesystem::path& picture) {
  TextStream commands;
  commands << "set title " << gnuplot_string(sweep.title) << "\nset xlabel "
           << gnuplot_string(sweep.axis) << R"(
    set ylabel '% of the multiply-add peak'
    set key outside right
    set logscale x 2
    set yrange [0:*]
)";
  int column = 2;
  for (size_t i : present(sweep)) {  // with its name: gnuplot cuts a heading at its comma
    commands << (column == 2 ? "plot" : ",") << " $data using 1:" << column
             << " with linespoints linetype " << column - 1 << " pointtype 7 pointsize 0.4 title "
             << gnuplot_string(sweep.comparisons[0].who[i].name);
    ++column;
  }
  commands << '\n';
  Pictures(picture.has_parent_path() ? picture.parent_path() : ".")
      .draw(picture.filename(), table(sweep), commands.str());
}

}  // namespace stepgrad::demo
