#include "demos/parts/command_line.hpp"

#include <algorithm>
#include <iostream>

#include "demos/parts/said.hpp"

namespace stepgrad::demo {

int main_of(CLI::App& app, int argc, char** argv, const std::function<int()>& run) {
  const std::string& called = app.get_name();
  const std::string name = called.substr(called.rfind(' ') + 1);
  const auto refuse = [&](const std::string& why) {
    std::cout << std::flush;
    std::cerr << name << ": " << why.substr(0, why.rfind(" (at ")) << '\n';  // not our lines
    return 2;
  };
  try {
    std::vector<std::string> words = arguments(argc, argv);
    std::reverse(words.begin(), words.end());  // as CLI11 takes them
    app.parse(std::move(words));
    return said(run(), name.c_str());
  } catch (const CLI::CallForHelp& help) {
    return said(app.exit(help), name.c_str());
  } catch (const CLI::ParseError& error) {
    return refuse(std::string(error.what()) + " (--help shows the options).");
  } catch (const std::exception& error) {
    return refuse(error.what());
  }
}

}
