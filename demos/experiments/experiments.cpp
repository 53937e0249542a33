// Demo: small Transformers trained side by side
#include "core/text_stream.hpp"
#include "demos/experiments/report.hpp"
#include "demos/parts/cell.hpp"
#include "demos/parts/command_line.hpp"
#include "demos/parts/terminal.hpp"

using namespace stepgrad;
using namespace stepgrad::demo;

namespace {

struct Options {
  std::string text, only;
  int64_t seeds = 3, steps = 500;
  Size size;
};

void quick(Options& options) {
  options.size = {.d_model = 16, .n_heads = 2, .n_layers = 1, .context = 16, .batch = 4};
  options.steps = 20;
}

// Trains each variant of a study that no earlier one has trained, once per seed.
void train(const Study& study, const Text& text, const Options& options, AllResults& all) {
  std::vector<Variant> others = study.variants;
  std::erase_if(others, [&](const Variant& variant) { return all.count(variant.name) > 0; });
  ProgressBar bar(std::ssize(others) * options.seeds * options.steps);
  int64_t steps_done = 0;
  for (const Variant& variant : others) {
    for (int64_t seed = 0; seed < options.seeds; ++seed) {
      const std::string what = variant.name + ", seed " + std::to_string(seed) + ", loss ";
      const auto show = [&](int64_t, double loss) { bar.show(++steps_done, what + fixed(loss, 2)); };
      all[variant.name].push_back(learn(text, options.size, variant.make, seed, options.steps, show));
    }
  }
  bar.clear();
}

void about(const Text& text, const std::string& name, const Options& options) {
  const Size& size = options.size;
  const auto seen = double(options.steps * size.batch * size.context) / double(text.held_out());
  TextStream lines;
  lines << name << ": " << text.size() << " characters, " << text.alphabet.size() << " different ones, the last "
        << text.size() - text.held_out() << " held out.\n"
        << "Blocks: " << size.n_layers << ", d_model " << size.d_model << ", " << size.n_heads << " heads, context "
        << size.context << "; " << options.steps << " steps of " << size.batch << " sequences, for each of "
        << options.seeds << " seeds.\n"
        << "So each character is learned from " << fixed(seen, 2)
        << " times; overfitting needs many: a short --text and more --steps.\n"
        << "Models with the same seed learn from the same batches; ± is the standard deviation "
           "over seeds.";
  show_words(lines.str());
}

void experiment(const Text& text, const std::string& name, const Options& options) {
  Text::check_length(text.size(), 10 * (options.size.context + 1));  // one sequence is held out
  std::vector<Study> chosen = studies(options.size);
  if (!options.only.empty()) {
    std::erase_if(chosen, [&](const Study& study) { return study.name != options.only; });
  }
  AllResults results;
  cell("Text", "Which character comes next?");
  about(text, name, options);
  for (const Study& study : chosen) {
    cell(study.name + "  ", study.question);
    std::cout << std::flush;  // it will take minutes
    train(study, text, options, results);
    report(study, results);
  }
}

void add_options(CLI::App& app, Options& options) {
  std::vector<std::string> names;
  for (const Study& study : studies({})) names.push_back(study.name);
  app.add_option("--text", options.text, "a UTF-8 file to learn from, instead of the sources");
  app.add_option("--only", options.only, "one of the experiments")->check(CLI::IsMember(names));
  app.add_option("--seeds", options.seeds, "how often each model is trained")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  auto* steps =
      app.add_option("--steps", options.steps, "of training")->capture_default_str()->check(CLI::Range(1, 10'000'000));
  app.add_flag_callback(
         "--quick", [&] { quick(options); }, "20 steps of tiny models: no verdicts")
      ->excludes(steps);
}

}

int main(int argc, char** argv) {
  CLI::App app("Small Transformers, trained side by side.", "demos/run experiments");
  Options options;
  add_options(app, options);
  return main_of(app, argc, argv, [&] {
    const bool own = options.text.empty();
    const Text text(own ? read_sources(STEPGRAD_TREE) : read_text(options.text));
    experiment(text, own ? "stepgrad's sources and README" : options.text, options);
    return 0;
  });
}
