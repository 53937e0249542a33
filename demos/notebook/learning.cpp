#include "demos/notebook/learning.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>

#include "core/text_stream.hpp"
#include "demos/notebook/ngram.hpp"
#include "demos/parts/cell.hpp"
#include "demos/parts/language_model.hpp"
#include "demos/parts/terminal.hpp"

namespace stepgrad::demo {
namespace {

void row(std::string_view model, const std::string& loss, const std::string& perplexity) {
  TextStream line;
  line << std::left << std::setw(40) << model << std::right << std::setw(6) << loss << std::setw(12) << perplexity;
  show_text(line.str());
}
void head() { row("on the held-out part", "loss", "perplexity"); }
void row(std::string_view model, double loss) { row(model, fixed(loss, 3), fixed(std::exp(loss), 2)); }

LanguageModel learned(const Text& text, int64_t context, int64_t steps) {
  const auto characters = std::ssize(text.alphabet);
  show_definitions({"LanguageModel", "LanguageModel::forward", "train"});
  RUN(LanguageModel model(characters, context));
  double loss = 0;  // smoothed over some 50 steps
  std::string summary;
  ProgressBar bar(steps);
  const auto progress = [&](int64_t step, double of_batch) {
    loss += (of_batch - loss) * std::max(0.02, 1.0 / double(step));
    const double rate = double(step * batch_size) / bar.seconds();
    summary = "loss " + fixed(loss, 3) + ", " + fixed(rate, 0) + " characters/s";
    bar.show(step, summary);
  };
  RUN(train(model, text, steps, progress));
  bar.clear();
  show_text(std::to_string(steps) + " steps in " + fixed(bar.seconds(), 1) + " s: " + summary);
  return model;
}

void about(const Text& text, std::string_view name) {
  TextStream lines;
  lines << name << ": " << text.size() << " characters, " << text.alphabet.size() << " different ones.\n"
        << "The last " << text.size() - text.held_out()
        << " are held out: models are measured there and learn from the rest.";
  show_text(lines.str());
}

void why_not_better(double least) {
  show_words(
      "Counts are of the part before, smoothed: unigrams by one more of each character, bigrams by "
      "the unigrams (Witten and Bell 1991). With k = 1 the network, however wide, is what bigrams "
      "are: a table p(next | last). The best one for the held-out part would be that part's own "
      "counts, with a loss of " +
      fixed(least, 3) + " (perplexity " + fixed(std::exp(least), 2) +
      "): no k = 1 model gets below it.\nTo do better, it has to see more.");
}

}

void learn(const Text& text, std::string_view name, int64_t context, int64_t steps) {
  cell("Text", "Which character comes next, after the k before it?", "앞의 k글자 다음에는 어떤 글자가 올까?",
      "前面 k 个字符之后是哪个字符？");
  about(text, name);

  cell("k = 1", "First the network sees one character only", "먼저 신경망이 한 글자만 본다", "先让网络只看一个字符");
  LanguageModel one = learned(text, 1, std::max<int64_t>(1, steps / 2));
  const double loss_of_one = held_out_loss(one, text), bigram = bigram_loss(text);
  head();
  row("all characters equally likely", std::log(text.alphabet.size()));
  row("unigram: how often each one comes", unigram_loss(text));
  row("bigram: how often it follows the last", bigram);
  row("the network, k = 1", loss_of_one);
  why_not_better(bigram_entropy(text));

  const std::string k = "k = " + std::to_string(context);
  cell(k, "Then the same network, with more to see", "이제 같은 신경망이 더 많이 본다", "再让同一个网络看得更多");
  LanguageModel model = learned(text, context, steps);
  head();
  row("bigram", bigram);
  row("the network, k = 1", loss_of_one);
  row("the network, " + k, held_out_loss(model, text));

  cell("Sample", "What it writes, a character at a time", "신경망이 한 글자씩 쓴 글", "它逐字写出的文本");
  show_text(printable(sample(model, text, 400)));
}

}
