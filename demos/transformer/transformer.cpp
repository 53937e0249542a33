// Demo: attention step by step: tokens, masks, heads
// Needs: libsentencepiece-dev
#include <cmath>
#include <filesystem>

#include "core/check.hpp"
#include "core/files.hpp"
#include "core/text_stream.hpp"
#include "demos/parts/captions.hpp"
#include "demos/parts/cell.hpp"
#include "demos/parts/command_line.hpp"
#include "demos/parts/text.hpp"
#include "demos/transformer/attention.hpp"
#include "nn/nn.hpp"
#include "nn/text/vocabulary.hpp"

using namespace stepgrad;
using namespace stepgrad::demo;

namespace {

struct Options {
  std::string text = STEPGRAD_TREE "/demos/transformer/korean.txt", model, out = "stepgrad-output";
};

// ['▁겨울', '은']
std::string listed(const std::vector<std::string>& pieces) {
  std::string text = "[";
  for (const std::string& piece : pieces) text += (text == "[" ? "'" : ", '") + piece + "'";
  return text + "]";
}

std::vector<std::string> lines_of(const std::string& file) {
  std::istringstream text(encode_utf8(read_text(file)));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

// A vocabulary without padding as id 0 cannot be used.
nn::Vocabulary load(const std::string& model) {
  nn::Vocabulary vocab = nn::Vocabulary::load(model);
  check<ValueError>(vocab.decode_ids({0}).empty(), model, ": its id 0 is no padding, and the demo pads with zeros.");
  return vocab;
}

nn::Vocabulary vocabulary(const Options& options) {
  if (!options.model.empty()) return load(options.model);
  return nn::Vocabulary::train(lines_of(options.text), 800);
}

Sentences as_ids(const nn::Vocabulary& vocab) {
  show_definitions({"listed"});
  RUN(const std::vector<std::string> lines{"겨울은 추워요.", "감기 조심하세요."});
  std::vector<std::vector<int64_t>> ids;
  for (const std::string& line : lines) {
    SHOW(listed(vocab.encode_as_pieces(line)));
    ids.push_back(vocab.encode_as_ids(line));
  }
  RUN(const Tensor inputs = nn::pad_sequence(ids, 0));
  SHOW(inputs.shape());
  SHOW(inputs);
  return {inputs, vocab.size()};
}

// The document's picture, plt.pcolormesh(table, cmap='RdBu'): red is -1, white 0, blue 1.
void draw(const Tensor& table, const std::string& file) {
  TextStream svg;
  svg << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='-9 -2 146 76' font-size='4'>\n"
      << "<text x='58' y='72'>Depth</text><text y='39' x='-8' writing-mode='tb'>Position</text>\n"
      << "<text y='68'>0</text><text x='122' y='68'>128</text><text x='-5' y='3'>64</text>\n";
  for (int64_t position = 0; position < n_seq; ++position) {
    for (int64_t depth = 0; depth < d_hidn; ++depth) {
      const Scalar value = table.at(position, depth);
      const auto channel = [&](int at_end) { return std::lround(255 + std::abs(value) * (at_end - 255)); };
      svg << "<path d='M" << depth << ' ' << n_seq - position << "v-1' stroke='rgb(" << channel(value < 0 ? 103 : 5)
          << ',' << channel(value < 0 ? 0 : 48) << ',' << channel(value < 0 ? 31 : 97) << ")'/>\n";
    }
  }
  write_file(file, svg.str() + "</svg>\n");
  show_text("drawn: " + file);
}

Tensor position_embedding(const Tensor& inputs, const std::string& folder) {
  cell("2.", "Position embedding: a frozen table; padding gets row 0", "위치 임베딩: 고정된 표; 패딩은 0번 행");
  RUN(const Tensor pos_encoding = nn::get_sinusoid_encoding_table(n_seq, d_hidn));
  SHOW(pos_encoding.shape());
  draw(pos_encoding, folder + "/position_table.svg");
  RUN(const bool freeze = true);
  RUN(auto nn_pos = nn::Embedding::from_pretrained(pos_encoding, freeze));
  RUN(const Tensor positions = arange(inputs.size(1)).expand(inputs.shape()) + 1);
  RUN(const Tensor pos_mask = inputs.eq(0));
  RUN(positions.masked_fill_(pos_mask, 0));
  RUN(const Tensor pos_embs = nn_pos(positions));
  SHOW(inputs);
  SHOW(positions);
  SHOW(pos_embs.shape());
  RUN(nn::PositionEmbedding position_embedding(n_seq - 1, d_hidn));
  SHOW_AS("the same as one class", mean(eq(position_embedding(inputs), pos_embs)));
  return pos_embs;
}

Tensor embedding(const Sentences& sentences, const std::string& folder) {
  cell("2.", "Input embedding: a vector for each piece", "입력 임베딩: 조각마다 벡터 하나");
  show_definitions({"d_hidn"});
  const auto& [inputs, n_vocab] = sentences;
  RUN(nn::Embedding nn_emb(n_vocab, d_hidn));
  RUN(const Tensor input_embs = nn_emb(inputs));
  SHOW(input_embs.shape());
  const Tensor pos_embs = position_embedding(inputs, folder);
  RUN(Tensor input_sums = input_embs + pos_embs);
  return input_sums;
}

void feed_forward(const Tensor& output) {
  cell("6.", "Feed-forward: two convolutions with a kernel of 1, so each position by itself",
      "피드 포워드: 커널 1인 합성곱 두 번, 그래서 위치마다 따로");
  RUN(nn::Conv1d conv1(d_hidn, d_hidn * 4, 1));
  RUN(const Tensor ff_1 = conv1(output.transpose(1, 2)));
  SHOW(ff_1.shape());
  RUN(const Tensor ff_2 = gelu(ff_1));
  RUN(nn::Conv1d conv2(d_hidn * 4, d_hidn, 1));
  RUN(const Tensor ff_3 = conv2(ff_2).transpose(1, 2));
  SHOW(ff_3.shape());
  RUN(nn::PoswiseFeedForwardNet feed_forward(d_hidn));
  RUN(feed_forward.conv1 = conv1, feed_forward.conv2 = conv2);
  SHOW_AS("the class; the document's reads a self.config that it has not got, this one d_hidn",
      mean(eq(feed_forward(output), ff_3)));
}

void walk(const nn::Vocabulary& learned, const Options& options) {
  std::filesystem::create_directories(options.out);
  cell("1.", "Vocab: sentences as pieces, pieces as ids, ids as a tensor",
      "Vocab: 문장을 조각으로, 조각을 id로, id를 텐서로");
  show_text(std::to_string(learned.size()) + " pieces, " +
      (options.model.empty() ? "learned from " + options.text : "from " + options.model));
  RUN(learned.save(options.out + "/vocabulary.model"));
  RUN(const auto vocab = nn::Vocabulary::load(options.out + "/vocabulary.model"));
  const Sentences sentences = as_ids(vocab);
  const Tensor input_sums = embedding(sentences, options.out);
  scaled_dot_product(sentences, input_sums);
  multi_head(sentences, input_sums);
  feed_forward(masked_multi_head(sentences, input_sums));
}

void add_options(CLI::App& app, Options& options) {
  auto* text = app.add_option("--text", options.text, "a UTF-8 file of sentences to learn pieces from");
  app.add_option("--model", options.model, "a SentencePiece model to load instead")->excludes(text);
  app.add_option("--out", options.out, "the folder for the model and the picture")->capture_default_str();
  add_language(app, {"ko"});
}

}

int main(int argc, char** argv) {
  CLI::App app("A Transformer's attention, step by step.", "demos/run transformer");
  Options options;
  add_options(app, options);
  return main_of(app, argc, argv, [&] {
    const nn::Vocabulary learned = vocabulary(options);
    manual_seed(0);
    walk(learned, options);
    return 0;
  });
}
