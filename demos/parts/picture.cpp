#include "demos/parts/picture.hpp"

#include "core/check.hpp"
#include "core/files.hpp"
#include "demos/parts/cell.hpp"

namespace stepgrad::demo {
namespace fs = std::filesystem;
namespace {

constexpr const char* style = R"(
set encoding utf8
set datafile separator comma
set datafile columnheaders
set border 3 linecolor '#666666'
set tics nomirror textcolor '#333333'
set grid linecolor '#dddddd' linetype 1
set key noautotitle
set linetype 1 linecolor '#1b6ca8' linewidth 2
set linetype 2 linecolor '#d1495b' linewidth 2
set linetype 3 linecolor '#3a9a5b' linewidth 2
set linetype 4 linecolor '#e08e1b' linewidth 2
set linetype 5 linecolor '#7a5ba8' linewidth 2
set linetype 6 linecolor '#5f6b76' linewidth 2
)";

// The text in quotes, with quotes doubled.
std::string in_quotes(std::string_view text, char quote) {
  std::string result(1, quote);
  for (const char c : text) result.append(c == quote ? 2 : 1, c);
  return result + quote;
}

}  // namespace

Pictures::Pictures(fs::path folder) : folder_(std::move(folder)) {
  check<FileError>(!folder_.empty(), "--out needs the name of a folder, and this one is empty.");
  std::error_code error;
  fs::create_directories(folder_, error);
  check<FileError>(fs::is_directory(folder_), folder_.string(), ": cannot be made a folder. ",
                   error.message());
}

void Pictures::draw(const std::string& file, std::string_view csv,
                    std::string_view commands) const {
  const fs::path picture = folder_ / file, numbers = fs::path(picture).replace_extension(".csv");
  write_file(numbers.string(), csv);
  if (std::system("command -v gnuplot >/dev/null 2>&1") != 0) {
    return show_text(numbers.string() +
                     " (for the picture, install gnuplot, Debian's gnuplot-nox, "
                     "and run this again)");
  }
  const char* kind = picture.extension() == ".svg" ? "svg" : "pngcairo";
  std::string script = std::string("set terminal ") + kind +
                       " size 1000,600 noenhanced font 'Sans,12' background 'white'\nset output " +
                       gnuplot_string(picture.string()) + style;
  script.append("$data << end_of_data\n").append(csv).append("end_of_data\n").append(commands);
  const std::string result =
      gnuplot(script) ? ", drawn: " + picture.string() : " (gnuplot could not draw it)";
  show_text(numbers.string() + result);
}

std::string csv_field(std::string_view text) {
  const bool plain = text.find_first_of(",\"\n") == text.npos;
  return plain ? std::string(text) : in_quotes(text, '"');
}

std::string gnuplot_string(std::string_view text) { return in_quotes(text, '\''); }

}  // namespace stepgrad::demo
