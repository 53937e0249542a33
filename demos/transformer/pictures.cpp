#include "demos/transformer/pictures.hpp"

#include "core/text_stream.hpp"
#include "demos/parts/cell.hpp"
#include "ops/ops.hpp"

namespace stepgrad::demo {

void draw_position_table(const Pictures& pictures, const Tensor& table) {
  TextStream csv;
  csv << "position,depth,value\n";
  for (int64_t position = 0; position < table.size(0); ++position) {
    for (int64_t depth = 0; depth < table.size(1); ++depth) {
      csv << position << ',' << depth << ',' << table.at(position, depth) << '\n';
    }
  }
  pictures.draw("position_table.png", csv.str(), R"(
    set title 'Sinusoid position table: sin at even depths, cos at odd ones'
    set palette defined (-1 '#67001f', -0.5 '#d6604d', 0 '#f7f7f7', 0.5 '#4393c3', 1 '#053061')
    set cbrange [-1:1]
    unset grid
    set xlabel 'Depth'
    set ylabel 'Position'
    set autoscale fix
    plot $data using 'depth':'position':'value' with image
  )");
}

// One row per query and key, one column per head.
static std::string attention_csv(const Tensor& attn_prob, const std::vector<std::string>& pieces) {
  const auto n = static_cast<int64_t>(pieces.size());
  TextStream csv;
  csv << "query,key,query piece,key piece";
  for (int64_t head = 0; head < attn_prob.size(0); ++head) csv << ",head " << head + 1;
  csv << '\n';
  for (int64_t q = 0; q < n; ++q) {
    for (int64_t k = 0; k < n; ++k) {
      csv << q << ',' << k << ',' << csv_field(pieces[q]) << ',' << csv_field(pieces[k]);
      for (int64_t head = 0; head < attn_prob.size(0); ++head)
        csv << ',' << attn_prob.at(head, q, k);
      csv << '\n';
    }
  }
  return csv.str();
}

void draw_attention(const Pictures& pictures, const std::string& name, const std::string& title,
                    const Tensor& attn_prob, const std::vector<std::string>& pieces) {
  TextStream tics, commands;
  const double most = amax(attn_prob.view({-1}), 0).item();
  for (size_t i = 0; i < pieces.size(); ++i) {
    tics << (i ? ", " : "(") << gnuplot_string(pieces[i]) << ' ' << i;
  }
  commands << "set xtics " << tics.str() << ")\n"
           << "set ytics " << tics.str() << ")\n"
           << R"(
    set palette defined (0 '#ffffff', 0.5 '#6baed6', 1 '#08306b')
    set cbrange [0:)"
           << most << R"(]
    set yrange [] reverse
    unset grid
    set size square
    set tics scale 0
    set autoscale fix
    set xlabel 'looks at (key)'
    set ylabel 'piece (query)'
    set multiplot layout 1,)"
           << attn_prob.size(0) << '\n';
  for (int64_t head = 1; head <= attn_prob.size(0); ++head) {
    commands << "set title "
             << gnuplot_string(title + ", head " + std::to_string(head) + ": white is 0, dark is " +
                               fixed(most, 2))
             << '\n'
             << "plot $data using 'key':'query':'head " << head << "' with image pixels\n";
  }
  pictures.draw(name + ".svg", attention_csv(attn_prob, pieces), commands.str());
}

}  // namespace stepgrad::demo
