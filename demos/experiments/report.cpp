#include "demos/experiments/report.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <numeric>

#include "core/text_stream.hpp"
#include "core/utf8.hpp"
#include "demos/parts/cell.hpp"

namespace stepgrad::demo {
namespace {

// Pads columns by characters: ± is two bytes and one column.
std::string column(const std::string& text, size_t width) {
  const size_t cells = count_characters(text);
  return std::string(cells < width ? width - cells : 1, ' ') + text;
}

void table(const Study& study, const AllResults& results) {
  TextStream lines;
  // ms: of a step
  lines << std::string(15, ' ') << "parameters          loss   perplexity accuracy % train     ms\n";
  for (const Variant& variant : study.variants) {
    const Results& all = results.at(variant.name);
    const Spread loss = over_seeds(all, [](const Result& r) { return r.loss; });
    const Spread perplexity = over_seeds(all, [](const Result& r) { return std::exp(r.loss); });
    const Spread accuracy = over_seeds(all, [](const Result& r) { return 100 * r.accuracy; });
    const Spread training = over_seeds(all, [](const Result& r) { return r.training_loss; });
    const auto faster = [](const Result& a, const Result& b) { return a.seconds < b.seconds; };
    const double seconds = std::min_element(all.begin(), all.end(), faster)->seconds;
    lines << std::left << std::setw(16) << variant.name << std::right << std::setw(9) << all[0].parameters
          << column(shown(loss, 3), 14) << column(shown(perplexity, 1), 13) << column(shown(accuracy, 1), 11)
          << column(fixed(training.mean, 2), 6) << column(fixed(1000 * seconds, 1), 7) << '\n';
  }
  show_text(lines.str());
}

void say_usage(const std::string& name, const Results& results) {
  for (size_t layer = 0; layer < results[0].usage.size(); ++layer) {
    if (results[0].usage[layer].empty()) continue;
    double least = 1, most = 0;
    for (const Result& result : results) {
      const auto [low, high] = std::minmax_element(result.usage[layer].begin(), result.usage[layer].end());
      least = std::min(least, *low), most = std::max(most, *high);
    }
    show_words(text_of(name, ", layer ", layer + 1, ": each expert gets ", fixed(100 * least, 1), " to ",
        fixed(100 * most, 1), " % of the work"));
  }
}

double mean_loss(const Results& results) {
  return over_seeds(results, [](const Result& r) { return r.loss; }).mean;
}

// Models that have hardly learned differ by chance.
constexpr int64_t steps_for_a_verdict = 200, seeds_for_one = 3;

std::string no_verdict(const Results& results) {
  return text_of("no verdict: ", results[0].steps, " steps of ", results.size(), " seeds are too few; ",
      steps_for_a_verdict, " of ", seeds_for_one, " are the least.");
}

void findings(const Study& study, const AllResults& results) {
  const auto less = [&](const Variant& a, const Variant& b) {
    return mean_loss(results.at(a.name)) < mean_loss(results.at(b.name));
  };
  const Results& first = results.at(study.variants[0].name);
  const bool enough = first[0].steps >= steps_for_a_verdict && std::ssize(first) >= seeds_for_one;
  if (enough) {
    show_words(
        "Smallest mean loss: " + std::min_element(study.variants.begin(), study.variants.end(), less)->name + ".");
  }
  for (const Expectation& expected : study.expectations) {
    show_words("Expected: " + expected.better + " better than " + expected.worse + " (" + expected.because + ").");
    show_words("Found: " +
        (enough ? found(expected, results.at(expected.better), results.at(expected.worse)) : no_verdict(first)));
  }
}

}

Spread::Spread(const std::vector<double>& numbers)
    : mean(std::accumulate(numbers.begin(), numbers.end(), 0.) / std::ssize(numbers)) {
  double squares = 0;
  for (const double number : numbers) squares += (number - mean) * (number - mean);
  deviation = std::sqrt(squares / double(std::ssize(numbers) - 1));
}

std::string shown(const Spread& spread, int digits) {
  const std::string mean = fixed(spread.mean, digits);
  return std::isnan(spread.deviation) ? mean : mean + " ± " + fixed(spread.deviation, digits);
}

std::string found(const Expectation& expected, const Results& better, const Results& worse) {
  std::vector<double> differences;
  for (size_t s = 0; s < better.size(); ++s) {
    differences.push_back(worse[s].loss - better[s].loss);
  }
  Spread difference(differences);
  const bool as_expected = difference.mean > 0;
  const auto agreeing =
      std::count_if(differences.begin(), differences.end(), [&](double d) { return (d > 0) == as_expected; });
  difference.mean = std::abs(difference.mean);
  const std::string by = text_of(as_expected ? expected.better : expected.worse, " better by ", shown(difference, 4),
      " nats, with ", agreeing, " of ", differences.size(), " seeds: ");
  if (differences.size() < 2) return by + "one says nothing about the spread.";
  if (difference.mean <= difference.deviation) {
    return by + "the spread exceeds the difference, so this is open.";
  }
  return by + (as_expected ? "as expected." : "NOT as expected.");
}

void report(const Study& study, const AllResults& results) {
  table(study, results);
  show_words(study.note);
  findings(study, results);
  for (const Variant& variant : study.variants) say_usage(variant.name, results.at(variant.name));
}

}
