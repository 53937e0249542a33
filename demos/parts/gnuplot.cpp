#include "demos/parts/gnuplot.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace stepgrad::demo {
namespace fs = std::filesystem;
namespace {

bool is_installed(const char* program) {
  return std::system((std::string("command -v ") + program + " >/dev/null 2>&1").c_str()) == 0;
}

// Whether gnuplot read the whole script and succeeded.
bool gnuplot(std::string_view script) {
  std::signal(SIGPIPE, SIG_IGN);  // a gnuplot that dies early is a false here, and not our end
  FILE* pipe = popen("gnuplot >/dev/null 2>&1", "w");
  if (!pipe) return false;
  const bool taken = std::fwrite(script.data(), 1, script.size(), pipe) == script.size();
  return pclose(pipe) == 0 && taken;
}

// The text in quotes, with quotes doubled.
std::string in_quotes(std::string_view text, char quote) {
  std::string result(1, quote);
  for (const char c : text) result.append(c == quote ? 2 : 1, c);
  return result + quote;
}

}  // namespace

std::string draw_by_gnuplot(std::string_view script, const fs::path& picture,
                            const fs::path& numbers) {
  if (!is_installed("gnuplot")) {
    return numbers.string() +
           " (for the picture, install gnuplot, Debian's gnuplot-nox, and run this again)";
  }
  if (!gnuplot(script)) return numbers.string() + " (gnuplot could not draw it)";
  return numbers.string() + ", drawn: " + picture.string();
}

std::string gnuplot_output(const fs::path& picture, const std::string& options) {
  const char* kind = picture.extension() == ".svg" ? "svg" : "pngcairo";
  return std::string("set terminal ") + kind + ' ' + options + "\nset output " +
         gnuplot_string(picture.string()) + '\n';
}

std::string csv_field(std::string_view text) {
  const bool plain = text.find_first_of(",\"\n") == text.npos;
  return plain ? std::string(text) : in_quotes(text, '"');
}

std::string gnuplot_string(std::string_view text) { return in_quotes(text, '\''); }

}  // namespace stepgrad::demo
