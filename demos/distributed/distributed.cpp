// One program with two roles: started by a user, it starts itself several times by mpirun and
// watches the ranks; started by mpirun, it is one of the ranks.
#include "demos/distributed/launcher.hpp"
#include "demos/distributed/training.hpp"
#include "demos/parts/command_line.hpp"

using namespace stepgrad::demo;

int main(int argc, char** argv) {
  CLI::App app("One training on several processes, by MPI: the same bits for any number of them.",
               "demos/run distributed");
  Options options;
  add_options(app, options);
  return main_of(app, argc, argv, [&] {
    return is_rank() ? train_as_rank(options, argc, argv)
                     : launch(options, {argv + 1, argv + argc});
  });
}
