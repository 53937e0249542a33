#include "demos/parts/picture.hpp"

#include "core/check.hpp"
#include "core/files.hpp"
#include "demos/parts/cell.hpp"

namespace stepgrad::demo {
namespace fs = std::filesystem;

static constexpr const char* style = R"(
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
  std::string script =
      gnuplot_output(picture, "size 1000,600 noenhanced font 'Sans,12' background 'white'") + style;
  script.append("$data << end_of_data\n").append(csv).append("end_of_data\n").append(commands);
  show_text(draw_by_gnuplot(script, picture, numbers));
}

}  // namespace stepgrad::demo
