#include "demos/parts/command_line.hpp"

#include <iostream>

namespace stepgrad::demo {

int main_of(CLI::App& app, int argc, char** argv, const std::function<int()>& run) {
  const auto refuse = [&](const std::string& why) {
    const std::string& name = app.get_name();
    std::cout << std::flush;
    std::cerr << name.substr(name.rfind(' ') + 1) << ": " << why << '\n';
    return 2;
  };
  try {
    app.parse(argc, argv);
    return run();
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return refuse(std::string(error.what()) + " (--help shows the options).");
  } catch (const std::exception& error) {
    return refuse(error.what());
  }
}

}  // namespace stepgrad::demo
