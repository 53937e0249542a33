#include "demos/benchmark/chart.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "demos/benchmark/machine.hpp"

namespace stepgrad::demo {
namespace {

// The contestants that have a figure somewhere.
std::vector<size_t> present(const Sweep& sweep) {
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
  std::ostringstream text;
  text << '"' << sweep.axis << '"';
  for (size_t i : present(sweep)) text << ",\"" << sweep.comparisons[0].who[i].name << '"';
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

std::string gnuplot_script(const std::vector<Sweep>& sweeps, const std::string& picture) {
  std::ostringstream script;
  const bool png = picture.ends_with(".png");
  script << "set terminal " << (png ? "pngcairo" : "svg") << " size 900," << 420 * sweeps.size()
         << " background 'white'\nset output '" << picture << "'\n"
         << "set datafile separator ','\nset key autotitle columnhead outside right\n"
         << "set logscale x 2\nset yrange [0:*]\nset ylabel '% of the multiply-add peak'\n"
         << "set grid\nset multiplot layout " << sweeps.size() << ",1\n";
  for (size_t i = 0; i < sweeps.size(); ++i) {
    const size_t lines = present(sweeps[i]).size();
    script << "$data" << i << " << END\n"
           << table(sweeps[i]) << "END\n"
           << "set title '" << sweeps[i].title << "'\nset xlabel '" << sweeps[i].axis << "'\n"
           << "plot for [i=2:" << lines + 1 << "] $data" << i
           << " using 1:i with linespoints linewidth 2 pointtype 7 pointsize 0.4\n";
  }
  script << "unset multiplot\n";
  return script.str();
}

bool run_gnuplot(const std::string& script) {
  if (first_line("command -v gnuplot").empty()) return false;
  FILE* pipe = popen("gnuplot", "w");
  if (!pipe) return false;
  std::fwrite(script.data(), 1, script.size(), pipe);
  return pclose(pipe) == 0;
}

}  // namespace

std::string draw(const std::vector<Sweep>& sweeps, const std::string& picture) {
  const std::string csv = std::filesystem::path(picture).replace_extension(".csv");
  std::ofstream file(csv);
  for (const Sweep& sweep : sweeps) {
    file << "# " << sweep.title << '\n' << table(sweep) << '\n';
  }
  if (!file.flush()) throw std::runtime_error("cannot write " + csv);
  if (run_gnuplot(gnuplot_script(sweeps, picture)))
    return "The chart is " + picture + ", its numbers " + csv + '.';
  return "The chart's numbers are " + csv + "; install gnuplot-nox for the picture.";
}

}  // namespace stepgrad::demo
