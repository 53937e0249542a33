#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace stepgrad::demo {

// A folder of results: numbers as CSV files, and beside each a picture of them, drawn by gnuplot.
class Pictures {
 public:
  explicit Pictures(std::filesystem::path folder);  // makes it. FileError

  // Writes `csv`, whose first line names the columns, to NAME.csv, and prints so. If gnuplot is
  // installed, draws `file`, NAME.png or NAME.svg, by `commands`, in which $data is the CSV;
  // otherwise prints how to install it. FileError.
  //
  // A PNG needs fonts on this machine, an SVG on the viewer's.
  void draw(const std::string& file, std::string_view csv, std::string_view commands) const;

 private:
  std::filesystem::path folder_;
};

bool gnuplot(std::string_view script);  // whether gnuplot read all of it and succeeded

// A text as a field of a CSV file, and as a string of gnuplot's.
std::string csv_field(std::string_view text);
std::string gnuplot_string(std::string_view text);

}  // namespace stepgrad::demo
