// Demo: small Transformers trained side by side: hidden sizes, activations, experts, no FFN at all
// Needs: gnuplot-nox
#include <CLI/CLI.hpp>
#include <map>

#include "demos/cell.hpp"
#include "demos/experiments/report.hpp"
#include "demos/terminal.hpp"

using namespace stepgrad;
using namespace stepgrad::demo;

namespace {

struct Options {
  std::string text, only, out = "stepgrad-output";
  int64_t seeds = 3, steps = 600;
  Size size;
};

void quick(Options& options) {
  options.size = {.d_model = 16, .n_heads = 2, .n_layers = 1, .context = 16, .batch = 4};
  options.seeds = 2;
  options.steps = 20;
}

// Trains each variant once for each seed, whichever studies ask for it.
class Laboratory {
 public:
  Laboratory(const Text& text, const Size& size, const Options& options, int64_t variants)
      : text_(text),
        size_(size),
        options_(options),
        bar_(variants * options.seeds * options.steps) {}

  const Results& results(const Variant& variant) {
    const auto [place, is_new] = all_.try_emplace(variant.name);
    for (int64_t seed = 0; is_new && seed < options_.seeds; ++seed) {
      const auto show = [&](int64_t, double loss) {
        std::ostringstream note;
        note << variant.name << ", seed " << seed << ", loss " << std::fixed << std::setprecision(2)
             << loss;
        bar_.show(++steps_done_, note.str());
      };
      place->second.push_back(demo::learn(text_, size_, variant.make, seed, options_.steps, show));
    }
    bar_.clear();
    return place->second;
  }

 private:
  const Text& text_;
  const Size& size_;
  const Options& options_;
  ProgressBar bar_;
  int64_t steps_done_ = 0;
  std::map<std::string, Results> all_;
};

void about(const Text& text, const std::string& name, const Size& size, const Options& options) {
  std::ostringstream lines;
  lines << name << ": " << text.size() << " characters, " << text.alphabet.size()
        << " different ones, the last " << text.size() - text.held_out() << " held out.\n"
        << "Blocks: " << size.n_layers << ", d_model " << size.d_model << ", " << size.n_heads
        << " heads, context " << size.context << "; " << options.steps << " steps of " << size.batch
        << " sequences, for each of " << options.seeds
        << " seeds.\nModels with the same seed learn from the same batches. ± is the standard "
           "deviation over the seeds.";
  show_text(lines.str());
}

void experiment(const Text& text, const std::string& name, const Options& options) {
  const Size& size = options.size;
  check_length(text, size.context);
  std::vector<Study> chosen = studies(size);
  if (!options.only.empty()) {
    std::erase_if(chosen, [&](const Study& study) { return study.name != options.only; });
  }
  std::map<std::string, int> names;
  for (const Study& study : chosen) {
    for (const Variant& variant : study.variants) ++names[variant.name];
  }
  const Pictures pictures(options.out);
  Laboratory laboratory(text, size, options, static_cast<int64_t>(names.size()));
  cell("Text", "Which character comes next?");
  about(text, name, size, options);
  for (const Study& study : chosen) {
    cell(study.name + "  ", study.question);
    std::vector<Results> results;
    for (const Variant& variant : study.variants) results.push_back(laboratory.results(variant));
    report(study, results, pictures);
  }
}

void add_options(CLI::App& app, Options& options) {
  std::vector<std::string> names;
  for (const Study& study : studies({})) names.push_back(study.name);
  app.add_option("--text", options.text, "a UTF-8 file to learn from, instead of the sources");
  app.add_option("--only", options.only, "one of the experiments")->check(CLI::IsMember(names));
  auto* seeds = app.add_option("--seeds", options.seeds, "how often each model is trained")
                    ->capture_default_str()
                    ->check(CLI::Range(1, 1000));
  auto* steps = app.add_option("--steps", options.steps, "of training")
                    ->capture_default_str()
                    ->check(CLI::Range(1, 10'000'000));
  app.add_flag_callback(
         "--quick", [&] { quick(options); },
         "2 seeds, 20 steps, tiny models: to see in seconds that all of it runs")
      ->excludes(seeds)
      ->excludes(steps);
  app.add_option("--out", options.out, "the folder for numbers and pictures")
      ->capture_default_str();
}

int refuse(const std::string& why) {
  std::cout << std::flush;
  std::cerr << "experiments: " << why << '\n';
  return 2;
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app("Small Transformers, trained side by side.", "demos/run experiments");
  Options options;
  add_options(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return refuse(std::string(error.what()) + " (--help shows the options).");
  }
  const bool own = options.text.empty();
  const Text text(own ? read_sources(STEPGRAD_TREE) : read_text(options.text));
  experiment(text, own ? "stepgrad's sources and README" : options.text, options);
  return 0;
} catch (const std::exception& error) {
  return refuse(error.what());
}
