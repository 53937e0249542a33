#include "demos/parts/captions.hpp"

#include <cstdlib>

namespace stepgrad::demo {
namespace {

bool in_own = false;

}

void add_language(CLI::App& app, const std::string& own) {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
    if (const char* set = std::getenv(name); set && *set) {
      in_own = std::string_view(set).starts_with(own);
      break;
    }
  const auto choose = [](const std::string& language) { in_own = language != "en"; };
  app.add_option_function<std::string>("--lang", choose, "of captions, if not LC_ALL's or LANG's")
      ->check(CLI::IsMember({std::string("en"), own}));
}

std::string_view caption(std::string_view english, std::string_view own) {
  return in_own && !own.empty() ? own : english;
}

}
