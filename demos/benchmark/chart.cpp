#include "demos/benchmark/chart.hpp"

#include <filesystem>

#include "core/files.hpp"
#include "core/text_stream.hpp"
#include "demos/parts/gnuplot.hpp"

namespace stepgrad::demo {
namespace {

// The contestants with at least one figure.
std::vector<size_t> present(const Sweep& sweep) {
  if (sweep.comparisons.empty()) return {};
  std::vector<size_t> columns;
  for (size_t i = 0; i < sweep.comparisons[0].who.size(); ++i) {
    for (const Comparison& c : sweep.comparisons) {
      if (c.figures[i].best == 0) continue;
      columns.push_back(i);
      break;
    }
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

std::string gnuplot_script(const Sweep& sweep, const std::string& picture) {
  TextStream script;
  script << gnuplot_output(picture, "size 900,420 background 'white'")
         << "set datafile separator ','\nset key autotitle columnhead outside right\n"
         << "set logscale x 2\nset yrange [0:*]\nset ylabel '% of the multiply-add peak'\n"
         << "set grid\n$data << END\n"
         << table(sweep) << "END\n"
         << "set title " << gnuplot_string(sweep.title) << "\nset xlabel "
         << gnuplot_string(sweep.axis) << "\nplot for [i=2:" << present(sweep).size() + 1
         << "] $data using 1:i with linespoints linewidth 2 pointtype 7 pointsize 0.4\n";
  return script.str();
}

}  // namespace

std::string draw(const Sweep& sweep, const std::string& picture) {
  const std::string numbers = std::filesystem::path(picture).replace_extension(".csv");
  write_file(numbers, "# " + sweep.title + '\n' + table(sweep));
  return "The chart: " + draw_by_gnuplot(gnuplot_script(sweep, picture), picture, numbers);
}

}  // namespace stepgrad::demo
