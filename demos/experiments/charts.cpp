#include <cmath>
#include <iomanip>

#include "core/text_stream.hpp"
#include "demos/experiments/report.hpp"

namespace stepgrad::demo {
namespace {

std::string bars_csv(const Study& study, const AllResults& results) {
  TextStream csv;
  csv << std::setprecision(9) << "variant,seed,parameters,loss,perplexity,accuracy,training loss\n";
  for (const Variant& variant : study.variants) {
    for (int64_t seed = 0; const Result& r : results.at(variant.name)) {
      csv << csv_field(variant.name) << ',' << seed++ << ',' << r.parameters << ',' << r.loss << ','
          << std::exp(r.loss) << ',' << r.accuracy << ',' << r.training_loss << '\n';
    }
  }
  return csv.str();
}

// Perplexity as bars from 0 to the mean, with a dot for each seed.
void draw_bars(const Study& study, const AllResults& results, const Pictures& pictures) {
  TextStream commands;
  commands << std::fixed << std::setprecision(2) << "set title " << gnuplot_string(study.question)
           << R"(
    set ylabel 'perplexity on the held-out part (a dot for each seed)'
    set boxwidth 0.6
    set bmargin 5
    set xlabel 'variant, and its number of parameters' offset 0, -1
    set style fill solid 0.35
    set grid noxtics
    set yrange [0:*]
    set xrange [-0.6:)"
           << study.variants.size() - 1 << ".6]\nset xtics ()\n";
  for (int64_t x = 0; const Variant& variant : study.variants) {
    const Results& all = results.at(variant.name);
    const Spread perplexity = over_seeds(all, [](const Result& r) { return std::exp(r.loss); });
    commands << "set xtics add (" << gnuplot_string(variant.name) << ".\"\\n"
             << all[0].parameters << "\" " << x << ")\nset label '" << perplexity.mean << "' at "
             << x << ", graph 0.03 center front\n";
    ++x;
  }
  commands << "variant(row) = int(row / " << results.at(study.variants[0].name).size() << R"()
    plot $data using (variant($0)):'perplexity' smooth unique with boxes linetype 1, \
      '' using (variant($0)):'perplexity' with points pointtype 7 pointsize 0.8 linetype 2
  )";
  pictures.draw(study.name + ".png", bars_csv(study, results), commands.str());
}

void draw_curves(const Study& study, const AllResults& results, const Pictures& pictures) {
  TextStream csv;
  csv << std::setprecision(9) << "step";
  for (const Variant& variant : study.variants) csv << ',' << csv_field(variant.name);
  csv << '\n';
  const Result& first = results.at(study.variants[0].name)[0];
  const auto points = static_cast<int64_t>(first.curve.size());
  for (int64_t i = 0; i < points; ++i) {
    csv << first.steps * (i + 1) / points;
    for (const Variant& variant : study.variants) {
      const auto loss = [i](const Result& r) { return r.curve[i]; };
      csv << ',' << over_seeds(results.at(variant.name), loss).mean;
    }
    csv << '\n';
  }
  TextStream commands;
  commands << R"(
    set title 'Loss in training, mean over the seeds'
    set xlabel 'step'
    set ylabel 'nats a character'
    set key top right
)";
  int column = 2;
  for (const Variant& variant : study.variants) {  // with its name: gnuplot cuts headings at commas
    commands << (column == 2 ? "plot" : ",") << " $data using 1:" << column
             << " with lines linetype " << column - 1 << " title " << gnuplot_string(variant.name);
    ++column;
  }
  commands << '\n';
  pictures.draw(study.name + "_curves.png", csv.str(), commands.str());
}

// variant,layer,seed,expert 1,..
std::string heading(size_t experts) {
  std::string line = "variant,layer,seed";
  for (size_t e = 1; e <= experts; ++e) line += ",expert " + std::to_string(e);
  return line + '\n';
}

// A stacked bar per layer and seed; nothing without experts.
void draw_usage(const Study& study, const AllResults& results, const Pictures& pictures) {
  TextStream csv, plots;
  csv << std::setprecision(9);
  size_t row = 0;
  for (const Variant& variant : study.variants) {
    const Results& all = results.at(variant.name);
    const size_t layers = all[0].usage.size(), experts = all[0].usage[0].size(), first = row;
    if (experts == 0) continue;
    if (row == 0) csv << heading(experts);
    for (size_t layer = 0; layer < layers; ++layer) {
      for (size_t seed = 0; seed < all.size(); ++seed, ++row) {
        csv << csv_field(variant.name) << ',' << layer + 1 << ',' << seed;
        for (const double share : all[seed].usage[layer]) csv << ',' << share;
        csv << '\n';
      }
    }
    plots << (first ? ", " : "plot ") << "newhistogram " << gnuplot_string(variant.name)
          << " linetype 1, for [i=4:" << experts + 3 << "] $data every ::" << first
          << "::" << row - 1 << " using i:xtic(stringcolumn(2).'.'.stringcolumn(3))";
  }
  if (row == 0) return;
  pictures.draw(study.name + "_usage.png", csv.str(), R"(
    set title 'The share of the work that each expert gets (a bar for each layer.seed)'
    set bmargin 5
    set yrange [0:1]
    set grid noxtics
    set style data histograms
    set style histogram rowstacked title offset 0, -0.8
    set style fill solid 0.6 border linecolor 'white'
    set boxwidth 0.8
    )" + plots.str() + '\n');
}

}  // namespace

void draw_charts(const Study& study, const AllResults& results, const Pictures& pictures) {
  draw_bars(study, results, pictures);
  draw_curves(study, results, pictures);
  draw_usage(study, results, pictures);
}

}  // namespace stepgrad::demo
