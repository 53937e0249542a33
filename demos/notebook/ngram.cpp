#include "demos/notebook/ngram.hpp"

#include <cmath>
#include <map>

namespace stepgrad::demo {
namespace {

// Counts of each character, and of each pair, in ids[from, to). Each has a predecessor in the text.
struct Counts {
  Counts(const Text& text, int64_t from, int64_t to)
      : total(to - from), next(text.alphabet.size()), last(next), followers(next) {
    for (int64_t i = from; i < to; ++i) {
      const int a = text.ids[i - 1], b = text.ids[i];
      ++next[b], ++last[a];
      if (pairs[{a, b}]++ == 0) ++followers[a];
    }
  }

  double pair(int a, int b) const {
    const auto found = pairs.find({a, b});
    return found == pairs.end() ? 0 : found->second;
  }

  double unigram(int b) const { return (next[b] + 1) / (total + next.size()); }

  double bigram(int a, int b) const {
    const double t = followers[a];
    return t == 0 ? unigram(b) : (pair(a, b) + t * unigram(b)) / (last[a] + t);
  }

  double total;
  std::vector<double> next, last, followers;  // of each character
  std::map<std::pair<int, int>, double> pairs;
};

// The mean of -log p(last, next) over the held-out part.
double held_out_loss(const Text& text, auto p) {
  double sum = 0;
  for (int64_t i = text.held_out(); i < text.size(); ++i) {
    sum -= std::log(p(text.ids[i - 1], text.ids[i]));
  }
  return sum / (text.size() - text.held_out());
}

}

double unigram_loss(const Text& text) {
  const Counts seen(text, 1, text.held_out());
  return held_out_loss(text, [&](int, int next) { return seen.unigram(next); });
}

double bigram_loss(const Text& text) {
  const Counts seen(text, 1, text.held_out());
  return held_out_loss(text, [&](int last, int next) { return seen.bigram(last, next); });
}

double bigram_entropy(const Text& text) {
  const Counts own(text, text.held_out(), text.size());
  return held_out_loss(text, [&](int last, int next) { return own.pair(last, next) / own.last[last]; });
}

}
