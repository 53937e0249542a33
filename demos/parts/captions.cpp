#include "demos/parts/captions.hpp"

#include <algorithm>
#include <cstdlib>

namespace stepgrad::demo {
namespace {

size_t chosen = 0;  // of caption()'s texts

}

void add_language(CLI::App& app, std::vector<std::string> languages) {
  languages.insert(languages.begin(), "en");
  const auto choose = [languages](std::string_view language) {
    const auto found = std::find(languages.begin(), languages.end(), language);
    chosen = found == languages.end() ? 0 : found - languages.begin();
  };
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
    if (const char* set = std::getenv(name); set && *set) {
      choose(std::string_view(set).substr(0, 2));
      break;
    }
  app.add_option_function<std::string>("--lang", choose, "of captions, if not LC_ALL's or LANG's")
      ->check(CLI::IsMember(languages));
}

std::string_view caption(std::initializer_list<std::string_view> texts) {
  const std::string_view own = chosen < texts.size() ? texts.begin()[chosen] : "";
  return own.empty() ? *texts.begin() : own;
}

}
